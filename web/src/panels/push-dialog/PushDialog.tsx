/** Push a checkpoint to the Hugging Face Hub. The push goes on when the dialog is closed or the page is reloaded. */
import { useQuery } from "@tanstack/react-query";
import { hasEnded, pushesQuery } from "@/entities/hub/queries";
import { useCancelPush, useStartPush } from "@/entities/hub/use-push";
import { useStore } from "@/lib/store";
import { Dialog } from "@/ui/Dialog";
import { ProblemNote } from "@/ui/states";
import { type PushedCheckpoint, pushDialog } from "./dialog";
import { PushForm } from "./PushForm";
import { PushProgress } from "./PushProgress";

export default function PushDialog() {
  const checkpoint = useStore(pushDialog);
  return (
    <Dialog
      open={checkpoint !== null}
      onOpenChange={() => pushDialog.set(null)}
      title="Push to the Hugging Face Hub"
      wide
    >
      {checkpoint && <PushSteps key={checkpoint.id} checkpoint={checkpoint} />}
    </Dialog>
  );
}

function PushSteps({ checkpoint }: { checkpoint: PushedCheckpoint }) {
  const pushes = useQuery(pushesQuery);
  const starting = useStartPush();
  const cancelling = useCancelPush();
  const newest = pushes.data?.find((push) => push.checkpoint === checkpoint.id);
  const isAtWork = newest !== undefined && !hasEnded(newest);
  return (
    <div className="flex flex-col gap-4 p-5">
      <p className="text-sm wrap-anywhere">{checkpoint.title}</p>
      {newest && <PushProgress push={newest} onCancel={() => cancelling.mutate(newest.id)} />}
      <ProblemNote error={starting.error} />
      <PushForm
        checkpoint={checkpoint}
        isBusy={isAtWork || starting.isPending}
        onPush={(wanted) => starting.mutate(wanted)}
      />
    </div>
  );
}
