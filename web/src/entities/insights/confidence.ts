/** What a confidence means, and what it rests on. Pure. */
import type { Insight } from "@/api/types";
import { formatCount, formatPercent } from "@/lib/format";

export function confidenceNote(insight: Insight): string {
  const share = insight.confidence ? formatPercent(insight.confidence) : "this share";
  const meaning = `Of the sentences with this evidence, ${share} were right in labelled runs.`;
  const basis = basisOf(insight.evidence ?? {});
  return basis ? `${meaning} It rests on ${basis}.` : meaning;
}

function basisOf(evidence: Record<string, number | string>): string | null {
  for (const [name, noun] of [
    ["episodes", "episode"],
    ["logged_means", "logged mean"],
    ["logged_values", "logged value"],
    ["updates", "update"],
    ["seeds", "seed"],
  ] as const) {
    const amount = evidence[name];
    if (typeof amount === "number") return `${formatCount(amount)} ${noun}${amount === 1 ? "" : "s"}`;
  }
  return null;
}
