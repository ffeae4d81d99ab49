/** The last ticks of a run for cards and sparklines; the lab sends the recent past first. */
import type { Tick } from "@/api/types";
import { topics, useLiveItems } from "@/api/use-live";

const KEPT = 120;

export function useTicks(runId: string | null): readonly Tick[] {
  return useLiveItems<Tick>(runId === null ? null : topics.metrics(runId), continued);
}

/** A training that is resumed from an older checkpoint goes back: the ticks after it are dropped, as the lab drops them. */
export function continued(before: readonly Tick[], fresh: readonly Tick[]): readonly Tick[] {
  const from = fresh[0]?.timestep ?? Number.POSITIVE_INFINITY;
  return [...before.filter(({ timestep }) => timestep <= from), ...fresh].slice(-KEPT);
}
