/** What a verification is called and shown as. Pure. */
import type { Certification, Run, Verification } from "@/api/types";
import { isOver } from "@/entities/runs/status";

/** Why a run cannot be verified now; null when it can. */
export function whyNotVerified(run: Run, isForeign: boolean): string | null {
  if (run.source) return "It was adopted: there is no configuration to repeat.";
  if (isForeign)
    return "A script runs only with your approval: run it again, then compare the two with rl-lab verify --against.";
  if (!isOver(run)) return "It can be verified when it has ended.";
  return run.progress.timestep > 0 ? null : "It ended before its first step.";
}

export interface Outcome {
  word: string;
  tone: "plain" | "good" | "warn";
}

/** The badge of a verification or a certification. */
export function outcomeOf({
  result,
  status,
}: Pick<Verification | Certification, "result" | "status">): Outcome {
  if (!result) return { word: status, tone: "plain" };
  return { word: result.verdict, tone: result.verdict === "different" ? "warn" : "good" };
}
