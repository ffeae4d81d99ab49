/** Why a model that was chosen does not act, and the button that takes it to its own environment. */
import type { StageProblem } from "@/api/types";
import { Button } from "@/ui/Button";
import type { PlaySearch } from "./search";

export interface RefusedModelProps {
  problem: StageProblem;
  /** Where it can act; null when another environment would not help. */
  target: PlaySearch | null;
  onSwitch: (target: PlaySearch) => void;
}

export function RefusedModel({ problem, target, onSwitch }: RefusedModelProps) {
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-sm border border-warn p-3">
      <p>{problem.message}</p>
      {target ? (
        <Button small icon="play" onClick={() => onSwitch(target)}>
          Switch environment
        </Button>
      ) : (
        problem.next_step && <p className="text-ink-2">{problem.next_step}</p>
      )}
    </div>
  );
}
