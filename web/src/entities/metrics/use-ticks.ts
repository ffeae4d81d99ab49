/** The last ticks of a run for cards and sparklines; the lab sends the recent past first. */
import type { Tick } from "@/api/types";
import { topics, useLiveItems } from "@/api/use-live";

const KEPT = 120;

export function useTicks(runId: string | null): readonly Tick[] {
  return useLiveItems<Tick>(runId === null ? null : topics.metrics(runId), (before, fresh) =>
    [...before, ...fresh].slice(-KEPT),
  );
}
