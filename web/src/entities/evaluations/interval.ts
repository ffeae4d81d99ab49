/** The interval of an evaluation's mean return. Pure. */
import type { EvaluationSummary } from "@/api/types";

/** Both ends of the 95 % interval; without one, the mean itself. */
export function intervalOf({ return_ci, return_mean }: EvaluationSummary): [number, number] {
  return [return_ci[0] ?? return_mean, return_ci[1] ?? return_mean];
}
