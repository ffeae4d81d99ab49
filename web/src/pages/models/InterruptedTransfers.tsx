/** Says which pushes and pulls a stop of the lab interrupted, and what to do about them. */
import type { Transfer } from "@/api/types";
import { useDismiss, useInterrupted } from "@/entities/hub/use-interrupted";
import { Button } from "@/ui/Button";

export default function InterruptedTransfers() {
  const dismiss = useDismiss();
  return <InterruptedList transfers={useInterrupted()} onDismiss={dismiss.mutate} />;
}

export interface InterruptedListProps {
  transfers: readonly Transfer[];
  onDismiss: (transfer: Transfer) => void;
}

export function InterruptedList({ transfers, onDismiss }: InterruptedListProps) {
  return transfers.map((one) => (
    <div
      key={one.id}
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-warn bg-warn-soft px-4 py-3 text-sm"
    >
      <p className="min-w-40 flex-1">
        {one.message} {one.next_step}
      </p>
      <Button small onClick={() => onDismiss(one)} aria-label={`Dismiss the note about ${one.repo}`}>
        Dismiss
      </Button>
    </div>
  ));
}
