/** The table shows only the runs that learned from one version of a dataset. */
import { useQuery } from "@tanstack/react-query";
import { shortHash } from "@/entities/checkpoints/words";
import { DatasetLink } from "@/entities/datasets/DatasetLink";
import { datasetsQuery } from "@/entities/datasets/queries";
import { Button } from "@/ui/Button";

export function DatasetNote({ sha256, onClear }: { sha256: string; onClear: () => void }) {
  const datasets = useQuery(datasetsQuery).data;
  // Equal contents may have several names.
  const named = (datasets ?? []).flatMap(({ versions }) => versions).filter((one) => one.sha256 === sha256);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
      <span className="flex flex-wrap gap-x-2">
        Runs that learned from
        {named.map(({ name, version }) => (
          <DatasetLink key={`${name} ${version}`} name={name} version={version} />
        ))}
        {named.length === 0 && `${datasets ? "a dataset that was deleted, " : ""}${shortHash(sha256)}`}
      </span>
      <Button small onClick={onClear}>
        Show all runs
      </Button>
    </p>
  );
}
