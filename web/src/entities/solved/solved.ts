/** Whether a training reached the threshold of its environment. Pure. */
import type { Environment, Run } from "@/api/types";
import { NOT_SOLVED } from "@/entities/runs/status";
import { trainConfigOf } from "@/entities/runs/words";

/** The mean reward counts once it is a mean of this many episodes. */
const WINDOW = 100;

/** The mean reward at which the run's environment counts as solved; null when it declares none. */
export function thresholdOf(run: Run, environments: readonly Environment[]): number | null {
  const envId = trainConfigOf(run)?.env_id;
  return environments.find(({ id }) => id === envId)?.reward_threshold ?? null;
}

export function isSolved(run: Run, threshold: number | null): boolean {
  if (run.kind !== "train") return false;
  if (run.reason?.cause === "solved") return true;
  if (run.reason?.cause === NOT_SOLVED) return false;
  const mean = run.summary.mean_reward;
  return threshold !== null && mean !== null && mean >= threshold && run.progress.episodes >= WINDOW;
}
