/** The queue in a few words. Pure. */
import type { QueueState } from "@/api/types";
import { formatCount } from "@/lib/format";

/** "2 running, 4 waiting"; null while nothing runs or waits. */
export function queueText({ running, waiting }: Pick<QueueState, "running" | "waiting">): string | null {
  const parts = [
    running.length > 0 && `${formatCount(running.length)} running`,
    waiting.length > 0 && `${formatCount(waiting.length)} waiting`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : null;
}

/** "1 of 2 training slots are taken" and the same for jobs. */
export function slotsText(queue: QueueState): string {
  const trainings = queue.running.filter(({ kind }) => kind === "train").length;
  const jobs = queue.running.length - trainings;
  return [
    `${formatCount(trainings)} of ${formatCount(queue.training_slots)} slots for trainings in use`,
    `${formatCount(jobs)} of ${formatCount(queue.job_slots)} for evaluations and other jobs`,
  ].join(", ");
}
