/** The last measurements of the machine, for the sparklines. */
import { useEffect, useState } from "react";
import type { System } from "@/api/types";

const KEPT = 60;

export function useRecent(now: System | undefined): readonly System[] {
  const [recent, setRecent] = useState<readonly System[]>([]);
  useEffect(() => {
    if (now) setRecent((before) => [...before, now].slice(-KEPT));
  }, [now]);
  return recent;
}

/** Used share of a whole, between 0 and 1. */
export const shareOf = (used: number, total: number): number => (total > 0 ? used / total : 0);

/** Problems first, then warnings, then the rest. */
export function worstFirst<F extends { level: string }>(findings: readonly F[]): F[] {
  const rank = (finding: F) => (finding.level === "ok" ? 2 : finding.level === "warning" ? 1 : 0);
  return [...findings].sort((a, b) => rank(a) - rank(b));
}
