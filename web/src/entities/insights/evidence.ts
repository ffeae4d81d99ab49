/** The numbers behind an insight, formatted. Pure. */
import { formatNumber } from "@/lib/format";

const PLAIN: Record<string, string> = {
  episodes: "episodes",
  mean_reward: "mean reward",
  standard_error: "± error",
  block_deviation: "spread of blocks",
};

export function evidenceLines(evidence: Record<string, number | string> | undefined): [string, string][] {
  return Object.entries(evidence ?? {}).map(([name, value]) => [
    PLAIN[name] ?? name.replaceAll("_", " "),
    typeof value === "number" ? formatNumber(value) : value,
  ]);
}
