/** Before the run's copy takes the place of a new reward that was typed and not saved. */
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

export interface ReplaceDraftDialogProps {
  isOpen: boolean;
  onReplace: () => void;
  onKeep: () => void;
  onCancel: () => void;
}

export function ReplaceDraftDialog({ isOpen, onReplace, onKeep, onCancel }: ReplaceDraftDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={onCancel} title="Replace your new reward?">
      <div className="flex flex-col gap-4 p-5 text-sm">
        <p>
          You have written a new reward and not saved it. The reward of this run is no longer saved either, so
          its copy would open in the same place, and what you have written would be lost.
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onCancel}>Cancel</Button>
          <Button onClick={onKeep}>Open the unsaved one</Button>
          <Button kind="danger" onClick={onReplace}>
            Replace it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
