/** The table shows only the runs that learned from one version of a dataset. */
import { useQuery } from "@tanstack/react-query";
import { shortHash } from "@/entities/checkpoints/words";
import { DatasetLink } from "@/entities/datasets/DatasetLink";
import { datasetsQuery } from "@/entities/datasets/queries";
import { Button } from "@/ui/Button";

export function DatasetNote({ sha256, onClear }: { sha256: string; onClear: () => void }) {
  const datasets = useQuery(datasetsQuery).data;
  const version = datasets?.flatMap(({ versions }) => versions).find((one) => one.sha256 === sha256);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
      <span>
        {"Runs that learned from "}
        {version ? (
          <DatasetLink name={version.name} version={version.version} />
        ) : (
          `${datasets ? "a dataset that was deleted, " : ""}${shortHash(sha256)}`
        )}
      </span>
      <Button small onClick={onClear}>
        Show all runs
      </Button>
    </p>
  );
}
