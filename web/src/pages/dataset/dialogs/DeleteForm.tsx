/** Asks before a version, or the whole dataset, is deleted: it cannot be undone. */
import type { Dataset } from "@/api/types";
import { useDeleteDataset } from "@/entities/datasets/use-dataset-actions";
import { formatBytes, formatPlural } from "@/lib/format";
import { Button } from "@/ui/Button";
import { ProblemNote } from "@/ui/states";

export interface DeleteFormProps {
  dataset: Dataset;
  /** Null: all of them. */
  version: number | null;
  onClose: () => void;
  onDeleted: (version: number | null) => void;
}

export function DeleteForm({ dataset, version, onClose, onDeleted }: DeleteFormProps) {
  const remove = useDeleteDataset(dataset.name, (deleted) => {
    onClose();
    onDeleted(deleted);
  });
  const gone = dataset.versions.filter((one) => version === null || one.version === version);
  const size = gone.reduce((sum, one) => sum + one.size, 0);
  const learned = gone.reduce((sum, one) => sum + one.learned_by, 0);
  return (
    <div className="flex flex-col gap-4 p-5 text-sm">
      <p>
        {`${version === null ? `${formatPlural(gone.length, "version")} and their files` : "The version and its files"}, ${formatBytes(size)}, are deleted. This cannot be undone.`}
      </p>
      {learned > 0 && (
        <p className="text-warn">
          {`${formatPlural(learned, "training")} learned from it. They stay, but cannot be repeated without it.`}
        </p>
      )}
      <ProblemNote error={remove.error} />
      <div className="flex justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate(version)}>
          Delete
        </Button>
      </div>
    </div>
  );
}
