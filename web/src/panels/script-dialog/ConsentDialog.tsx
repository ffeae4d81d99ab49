/** A run that needs the user's approval: what would run, and the button that approves it. */

import { useCommandPreview } from "@/entities/scripts/use-scripts";
import { useStore } from "@/lib/store";
import { Dialog } from "@/ui/Dialog";
import { ErrorState, Loading } from "@/ui/states";
import { ConsentPanel } from "./ConsentPanel";
import { consentDialog, type WantedRun } from "./dialogs";

const close = () => consentDialog.set(null);

export default function ConsentDialog() {
  const waiting = useStore(consentDialog);
  return (
    <Dialog open={waiting !== null} onOpenChange={close} title="Before this script runs" wide>
      {waiting && <Asked {...waiting} />}
    </Dialog>
  );
}

function Asked({ wanted, onApprove }: WantedRun) {
  const preview = useCommandPreview(wanted);
  const approve = (sha256: string) => {
    close();
    onApprove(sha256);
  };
  return (
    <div className="p-5">
      {preview.isPending && <Loading lines={8} />}
      {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data && <ConsentPanel preview={preview.data} onBack={close} onAgree={approve} />}
    </div>
  );
}
