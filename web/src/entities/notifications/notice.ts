/** What a notification says about a run that has ended. Pure. */
import type { Environment, Run, RunStatus } from "@/api/types";
import { isOver, NOT_SOLVED } from "@/entities/runs/status";
import { isSolved, thresholdOf } from "@/entities/solved/solved";
import { formatCount, formatNumber } from "@/lib/format";

export interface Notice {
  title: string;
  body: string;
}

/** Null where nobody needs to be told: a job, a run the user stopped, or one that had ended before this page knew it. */
export function noticeOf(
  run: Run,
  before: RunStatus | undefined,
  environments: readonly Environment[] = [],
): Notice | null {
  const wasOver = before === undefined || isOver({ ...run, status: before });
  if (run.kind !== "train" || run.source || wasOver || !isOver(run)) return null;
  if (run.status === "failed" || run.status === "lost")
    return { title: `Failed: ${run.name}`, body: run.reason?.message ?? "" };
  if (run.status !== "succeeded") return null;
  const { summary, progress } = run;
  return {
    title: `${outcomeOf(run, environments)}: ${run.name}`,
    body: `Mean reward ${formatNumber(summary.mean_reward)} after ${formatCount(progress.timestep)} steps.`,
  };
}

function outcomeOf(run: Run, environments: readonly Environment[]): string {
  if (run.reason?.cause === NOT_SOLVED) return "Not solved";
  return isSolved(run, thresholdOf(run, environments)) ? "Solved" : "Done";
}
