/** What a confidence means, and what it rests on. Pure. */
import type { Insight } from "@/api/types";
import { formatCount } from "@/lib/format";

export function confidenceNote(insight: Insight): string {
  const meaning =
    "How clearly the numbers support this: 50 % could be chance, 99 % is hard to explain otherwise.";
  const basis = basisOf(insight.evidence ?? {});
  return basis ? `${meaning} It rests on ${basis}.` : meaning;
}

function basisOf(evidence: Record<string, number | string>): string | null {
  for (const [name, noun] of [
    ["episodes", "episode"],
    ["updates", "update"],
    ["seeds", "seed"],
  ] as const) {
    const amount = evidence[name];
    if (typeof amount === "number") return `${formatCount(amount)} ${noun}${amount === 1 ? "" : "s"}`;
  }
  return null;
}
