/** Take over: a play begins at the very state that the replay shows. */
import { useNavigate } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { useStartPlay } from "@/entities/plays/use-start-play";
import { formatCount } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { Button } from "@/ui/Button";

export interface TakeOverButtonProps {
  run: Run;
  episode: number;
  step: number;
  /** Of the episode; null until it is open. */
  length: number | null;
  /** Before the play is asked for: the replay should not run on. */
  onPress: () => void;
}

export function TakeOverButton({ run, episode, step, length, onPress }: TakeOverButtonProps) {
  const navigate = useNavigate();
  const start = useStartPlay((play) => void navigate({ to: "/play/$runId", params: { runId: play.id } }));
  const reason = whyNot(step, length);
  const takeOver = () => {
    if (reason !== null || start.isPending) return;
    onPress();
    start.mutate({ start: { run_id: run.id, episode, step } });
  };
  useKeys([{ keys: "t", title: "Take over at this step", group: "Replay", run: takeOver }]);
  return (
    <Button
      small
      kind="quiet"
      icon="gamepad"
      title={`Play on from step ${formatCount(step)} yourself (T)`}
      disabled={start.isPending}
      reason={reason}
      onClick={takeOver}
    >
      <span className="max-sm:sr-only">{start.isPending ? "Taking over…" : "Take over"}</span>
    </Button>
  );
}

function whyNot(step: number, length: number | null): string | null {
  if (length === null) return "The replay is not open yet.";
  return step >= length ? "The episode ends at this step. Go back to an earlier one." : null;
}
