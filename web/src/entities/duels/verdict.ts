/** What the interval of a paired difference decides. Pure. */
import type { PairedDifference } from "@/api/types";

/** Only an interval without zero in it decides which side is better. */
export function verdictOf(difference: PairedDifference): "first" | "second" | "open" {
  const [low, high] = difference.ci;
  if (low != null && low > 0) return "first";
  return high != null && high < 0 ? "second" : "open";
}
