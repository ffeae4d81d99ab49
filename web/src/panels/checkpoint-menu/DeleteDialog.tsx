/** Asks before a checkpoint is deleted. */
import { useDeleteCheckpoint } from "@/entities/checkpoints/use-checkpoint-actions";
import { checkpointName } from "@/entities/checkpoints/words";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ProblemNote } from "@/ui/states";
import { deleteDialog } from "./dialog";

const close = () => deleteDialog.set(null);

export default function DeleteDialog({ onDeleted }: { onDeleted?: () => void }) {
  const subject = useStore(deleteDialog);
  const deleting = useDeleteCheckpoint(() => {
    close();
    onDeleted?.();
  });
  if (!subject) return null;
  return (
    <Dialog open onOpenChange={close} title="Delete this checkpoint?">
      <div className="flex flex-col gap-4 p-5 text-sm">
        <p className="wrap-anywhere">{checkpointName(subject)}</p>
        <p>
          The file is deleted permanently. This cannot be undone. A model that was named from it keeps its own
          copy.
        </p>
        <ProblemNote error={deleting.error} />
        <div className="flex justify-end gap-3">
          <Button onClick={close}>Cancel</Button>
          <Button kind="danger" disabled={deleting.isPending} onClick={() => deleting.mutate(subject)}>
            Delete
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
