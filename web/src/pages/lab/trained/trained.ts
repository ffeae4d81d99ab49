/** Trained models: trainings whose checkpoint the lab can play. Pure. */
import type { Run } from "@/api/types";
import { whyNotTest } from "@/entities/evaluations/test-run";
import { isProgram } from "@/entities/runs/words";

/** The trainings that can be played, the best mean reward first; not scripts, of which many save no checkpoint. */
export function trainedModels(runs: readonly Run[]): Run[] {
  const best = (run: Run) => run.summary.best_mean_reward ?? Number.NEGATIVE_INFINITY;
  return runs
    .filter((run) => !isProgram(run) && whyNotTest(run, false) === null)
    .sort((a, b) => best(b) - best(a));
}

/** Why training cannot continue from the model's checkpoint; null when it can. */
export function whyNotContinue(run: Run): string | null {
  if (run.allowed.includes("resume")) return null;
  if (run.status === "succeeded") return "This run is complete: it trained all its steps or solved its task.";
  return "This run is still in the queue or training.";
}
