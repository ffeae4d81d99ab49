/** Pauses and resumes the queue itself; while it is paused, a note says so. */
import type { QueueState } from "@/api/types";
import { useSetPaused } from "@/entities/queue/use-steer-queue";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/icons";

export function PauseButton({ queue }: { queue: QueueState }) {
  const { mutate, isPending } = useSetPaused();
  return (
    <Button
      small
      className="ml-auto"
      icon={queue.paused ? "play" : "pause"}
      disabled={isPending}
      onClick={() => mutate(!queue.paused)}
    >
      {queue.paused ? "Resume queue" : "Pause queue"}
    </Button>
  );
}

export function PausedNote() {
  return (
    <p role="status" className="flex items-center gap-2 rounded-md bg-warn-soft px-4 py-3 text-sm text-warn">
      <Icon name="pause" size={14} />
      The queue is paused: no run starts until it is resumed. Runs that have started continue.
    </p>
  );
}
