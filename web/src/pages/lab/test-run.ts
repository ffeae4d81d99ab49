/** TEST: an evaluation of the shown run with a fixed number of episodes. */
import type { NewEvaluation, Run } from "@/api/types";

export const TEST: NewEvaluation = { episodes: 5, deterministic: true, record: true, checkpoint: null };

/** Why TEST cannot be pressed; null when it can. */
export function whyNotTest(run: Run | undefined, isLoading: boolean): string | null {
  if (isLoading) return "The run is being loaded.";
  if (!run) return "Train first: TEST plays with the trained agent.";
  if (run.kind !== "train") return "Only a training run can be tested.";
  if (run.source) return "An adopted run was trained elsewhere; the lab cannot play it.";
  if (run.isolation) return "The lab cannot play the checkpoint of a script.";
  if (run.progress.timestep === 0 && run.status !== "succeeded")
    return "There is no checkpoint yet; wait for the first one.";
  return null;
}
