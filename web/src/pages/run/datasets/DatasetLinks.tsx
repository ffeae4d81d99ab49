/** The exact version of a dataset that a training learned from, or that a job reads and made. */
import type { Run } from "@/api/types";
import { datasetsOfRun } from "@/entities/dataset-jobs/jobs";
import { DatasetLink } from "@/entities/datasets/DatasetLink";
import { trainConfigOf } from "@/entities/runs/words";

export function DatasetLinks({ run }: { run: Run }) {
  const { word, versions } = datasetsOfRun(run);
  if (versions.length === 0) return null;
  const sha256 = trainConfigOf(run)?.dataset?.sha256;
  return (
    <span className="flex flex-wrap gap-x-2 text-xs text-ink-2">
      {word}
      {versions.map(({ name, version }) => (
        <DatasetLink key={`${name} ${version}`} name={name} version={version} />
      ))}
      {sha256 && (
        <span className="figures text-ink-3" title={`SHA-256 of its contents: ${sha256}`}>
          {`${sha256.slice(0, 8)}…`}
        </span>
      )}
    </span>
  );
}
