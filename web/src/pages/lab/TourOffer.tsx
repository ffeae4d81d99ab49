/** One quiet line that offers the tour to a new user, once a run has ended. */
import { Button, IconButton } from "@/ui/Button";

export function TourOffer({ onStart, onDismiss }: { onStart: () => void; onDismiss: () => void }) {
  return (
    <div className="flex shrink-0 items-center gap-1 pl-1 text-sm text-ink-2">
      <p className="min-w-0 flex-1">New here?</p>
      <Button small kind="quiet" onClick={onStart}>
        Take the tour
      </Button>
      <IconButton icon="close" label="Do not offer the tour again" onClick={onDismiss} />
    </div>
  );
}
