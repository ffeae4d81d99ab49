/** Asks before a training is resumed from a checkpoint: later steps are dropped. */
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

export interface ResumeDialogProps {
  /** "40,000" */
  step: string;
  open: boolean;
  onClose: () => void;
  onResume: () => void;
}

export function ResumeDialog({ step, open, onClose, onResume }: ResumeDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onClose} title={`Resume from step ${step}?`}>
      <div className="flex flex-col gap-4 p-5 text-sm">
        <p className="text-pretty">
          {`The training continues from step ${step}. What it did after this step is dropped, and trained again.`}
        </p>
        <div className="flex justify-end gap-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            onClick={() => {
              onClose();
              onResume();
            }}
          >
            Resume
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
