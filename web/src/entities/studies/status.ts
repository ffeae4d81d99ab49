/** States of studies and variants, and their progress. Pure. */
import type { Study, StudyStatus, VariantStatus } from "@/api/types";
import { formatPlural } from "@/lib/format";
import { keysOf } from "@/lib/keys-of";

/** How the dot next to a status is drawn; it also lists every status there is. */
export const STUDY_DOTS: Record<StudyStatus, string> = {
  created: "border border-ink-3",
  running: "bg-live",
  paused: "border border-live",
  finished: "bg-good",
  stopped: "border border-ink",
  failed: "bg-warn",
};
export const STUDY_STATUSES = keysOf(STUDY_DOTS);

export const VARIANT_DOTS: Record<VariantStatus, string> = {
  waiting: "border border-ink-3 bg-line-strong",
  running: "bg-live",
  finished: "bg-good",
  pruned: "border border-ink",
  failed: "bg-warn",
  stopped: "border border-ink",
};

export const isUnderWay = (study: Study): boolean => study.status === "running" || study.status === "paused";

/** Runs that it will have in all; a TPE sweep plans its later points only when it comes to them. */
export function plannedRuns({ counts, plan }: Study): number {
  const points = plan.sweep?.method === "tpe" ? (plan.sweep.points ?? 0) * plan.seeds.length : 0;
  return Math.max(counts.planned, counts.runs, points);
}

export const shareDone = (study: Study): number =>
  plannedRuns(study) === 0 ? 0 : study.counts.ended / plannedRuns(study);

/** "12 of 25 runs", "25 runs". */
export function progressWords(study: Study): string {
  const [done, all] = [study.counts.ended, plannedRuns(study)];
  return done >= all ? formatPlural(all, "run") : `${done} of ${formatPlural(all, "run")}`;
}

/** Seconds that are left if the runs to come take as long as those that ended; null while none has. */
export function remainingSeconds(study: Study, now: number): number | null {
  const { ended } = study.counts;
  if (study.status !== "running" || !study.started_at || ended === 0) return null;
  const elapsed = (now - Date.parse(study.started_at)) / 1000;
  return (elapsed / ended) * Math.max(0, plannedRuns(study) - ended);
}
