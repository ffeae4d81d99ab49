/** What the interval of a paired difference decides. Pure. */
import type { PairedDifference } from "@/entities/results/results";

/** Only an interval without zero in it decides which side is better. */
export function verdictOf(difference: PairedDifference): "first" | "second" | "open" {
  if (difference.ci[0] > 0) return "first";
  return difference.ci[1] < 0 ? "second" : "open";
}
