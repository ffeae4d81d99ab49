/** TEST: an evaluation of the shown run with a fixed number of episodes. */
import type { NewEvaluation, Run } from "@/api/types";

export const TEST: NewEvaluation = { episodes: 5, deterministic: true, record: true, checkpoint: null };

/** Where TEST cannot be pressed, why. */
export function whyNotTest(run: Run | undefined, isLoading: boolean): string | null {
  if (isLoading) return "The run is being asked for.";
  if (!run) return "Train first: TEST plays what was learned.";
  if (run.kind !== "train") return "Only a training can be tested.";
  if (run.source) return "An adopted run was trained elsewhere; the lab cannot play it.";
  if (run.isolation) return "A script’s checkpoint is its own; the lab cannot play it.";
  if (run.progress.timestep === 0 && run.status !== "succeeded")
    return "Nothing is learned yet; wait for the first checkpoint.";
  return null;
}
