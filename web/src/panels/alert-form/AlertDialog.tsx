/** The form of an alert in a dialog, opened from a chart or from the list of alerts. */
import { Dialog } from "@/ui/Dialog";
import { AlertForm } from "./AlertForm";
import type { AlertDraft } from "./alert-draft";

export interface AlertDialogProps {
  /** What it begins with; null while it is closed. */
  draft: AlertDraft | null;
  onClose: () => void;
}

export function AlertDialog({ draft, onClose }: AlertDialogProps) {
  return (
    <Dialog
      open={draft !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={draft?.id ? "Change the alert" : "Alert me when…"}
      wide
    >
      <div className="p-5">{draft && <AlertForm first={draft} onSaved={onClose} onCancel={onClose} />}</div>
    </Dialog>
  );
}
