/** What a certificate of exact resume is called and shown as. Pure. */
import type { Certification, Run } from "@/api/types";
import { formatCount } from "@/lib/format";

/** Why a run cannot be certified; null when it can. */
export function whyNotCertified(run: Run, isForeign: boolean): string | null {
  if (run.source) return "It was adopted: there is no configuration to train.";
  return isForeign ? "The lab does not have the whole state of a script, so it cannot resume exactly." : null;
}

export interface ExactResume {
  word: string;
  tone: "good" | "warn";
}

/** The badge of a run; null when it was not certified. */
export function exactResumeOf({ exact_resume }: Pick<Run, "exact_resume">): ExactResume | null {
  if (!exact_resume) return null;
  return exact_resume === "identical"
    ? { word: "Exact resume: certified", tone: "good" }
    : { word: "Exact resume: different", tone: "warn" };
}

type Break = NonNullable<Certification["result"]>["breaks"][number];

/** One break of a certification and what came of it. */
export function breakText({ kind, step, resumed_at, first_difference }: Break): string {
  const verdict = first_difference ? "different" : "identical";
  const from = formatCount(resumed_at);
  if (kind === "checkpoint") return `Resumed from the checkpoint of step ${from}: ${verdict}`;
  const how = kind === "kill" ? "Killed (SIGKILL)" : "Stopped";
  return `${how} at step ${formatCount(step)}, resumed at ${from}: ${verdict}`;
}
