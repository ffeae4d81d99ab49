/** The exact contents that a run learned from: the version of a dataset, and the beginning of its hash. */
import type { Run } from "@/api/types";
import { DatasetLink } from "@/entities/datasets/DatasetLink";
import { trainConfigOf } from "@/entities/runs/words";

export function LearnedFrom({ run }: { run: Run }) {
  const dataset = trainConfigOf(run)?.dataset;
  if (!dataset) return null;
  return (
    <span className="text-xs text-ink-2">
      {"learned from "}
      <DatasetLink name={dataset.name} version={dataset.version} />
      {dataset.sha256 && (
        <span className="figures text-ink-3" title={`SHA-256 ${dataset.sha256}`}>
          {`, ${dataset.sha256.slice(0, 8)}…`}
        </span>
      )}
    </span>
  );
}
