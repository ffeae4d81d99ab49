/** The verdicts of a comparison in words, and which one comes first. Pure. */
import type { Comparison } from "@/api/types";
import { betweenText } from "@/entities/evaluations/interval";
import { formatNumber, formatPlural } from "@/lib/format";

export type Verdict = Comparison["verdicts"][number];

/** That of the group with the highest mean; where the reference has it, that of the runner-up. */
export function mainVerdict({ groups, verdicts, measure }: Comparison): Verdict | null {
  const mean = (label: string) =>
    groups.find((group) => group.label === label)?.statistics[measure]?.mean ?? -Infinity;
  return verdicts.toSorted((a, b) => mean(b.group) - mean(a.group))[0] ?? null;
}

/** "Better", "Worse", "Not established". */
export const outcomeTitle = ({ outcome }: Verdict): string =>
  outcome.charAt(0).toUpperCase() + outcome.slice(1);

export const outcomeTone = ({ outcome }: Verdict): "plain" | "strong" =>
  outcome === "not established" ? "plain" : "strong";

/** The number of a configuration that is compared with nothing; null where it has none. */
export function aloneText({ groups, measure, measures }: Comparison): string | null {
  const found = groups[0]?.statistics[measure];
  if (!found) return null;
  const what = measures[measure] ?? measure;
  return `${formatNumber(found.mean, 4)} is the ${what}, over ${formatPlural(found.seeds, "seed")}; ${betweenText(found.mean_interval, found.mean_level)}.`;
}

/** How many of many comparisons were established; null for one. */
export function countText(verdicts: readonly Verdict[]): string | null {
  if (verdicts.length < 2) return null;
  const count = (outcome: Verdict["outcome"]) => verdicts.filter((one) => one.outcome === outcome).length;
  const parts = (["better", "worse", "not established"] as const)
    .map((outcome) => [count(outcome), outcome] as const)
    .filter(([many]) => many > 0)
    .map(([many, outcome]) => `${many} ${outcome}`);
  return `Of ${verdicts.length} comparisons with ${verdicts[0]!.reference}: ${parts.join(", ")}.`;
}

/** The variants of a verdict's two groups: those that more seeds are added to. */
export function variantsOf({ groups }: Comparison, { group, reference }: Verdict): number[] {
  return groups.flatMap((one) =>
    (one.label === group || one.label === reference) && typeof one.variant === "number" ? [one.variant] : [],
  );
}
