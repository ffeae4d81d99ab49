/** Start, stop, pause, resume; a move that is not allowed now shows the reason. */
import type { Run } from "@/api/types";
import { Button } from "@/ui/Button";
import type { IconName } from "@/ui/icons";
import type { Move } from "./queries";
import { isOver } from "./status";
import { type Capabilities, useCapabilities } from "./use-capabilities";
import { useMove } from "./use-move";
import { useResume } from "./use-resume";

const ICONS: Record<Move, IconName> = { start: "play", stop: "stop", pause: "pause", resume: "play" };

export function RunMoves({ run, small }: { run: Run; small?: boolean }) {
  const capabilities = useCapabilities(run);
  const ask = useMove(run.id);
  const resume = useResume(run.id);
  return (
    <div className="flex gap-2 empty:hidden">
      {shownMoves(run).map((move) => (
        <Button
          key={move}
          small={small}
          icon={ICONS[move]}
          kind={move === "stop" ? "danger" : "outline"}
          reason={whyNot(run, move, capabilities)}
          disabled={ask.isPending || resume.isPending}
          onClick={() => (move === "resume" && isOver(run) ? resume.mutate({}) : ask.mutate(move))}
        >
          <span className="sentence">{move}</span>
        </Button>
      ))}
    </div>
  );
}

/** Pause and resume share a place, and so do start and stop. A waiting or followed run only stops, an ended one only resumes. */
export function shownMoves(run: Run): Move[] {
  if (isOver(run)) return run.allowed.includes("resume") ? ["resume"] : [];
  if (run.status === "queued" || run.status === "followed") return ["stop"];
  const first: Move = run.status === "created" ? "start" : "stop";
  const second: Move = run.allowed.includes("resume") ? "resume" : "pause";
  return [second, first];
}

export function whyNot(run: Run, move: Move, capabilities?: Capabilities): string | null {
  if (move === "resume" && run.status !== "paused" && capabilities && !capabilities.resume)
    return "This kind of run cannot resume from a checkpoint. Start it again.";
  if (move === "pause" && run.source) return "The lab only follows this run and cannot pause it.";
  if (run.allowed.includes(move))
    return run.paused_wanted && move === "pause" ? "The run pauses at its next update." : null;
  const possible = run.allowed.length > 0 ? ` Possible now: ${run.allowed.join(", ")}.` : "";
  return `A run with status “${run.status}” cannot ${move}.${possible}`;
}
