/** The newest events of a run, live; the lab sends the recent past first. */
import type { RunEvent } from "@/api/types";
import { topics, useLiveItems } from "@/api/use-live";

const KEPT = 300;

export function useRunEvents(runId: string | null): readonly RunEvent[] {
  return useLiveItems<RunEvent>(runId === null ? null : topics.events(runId), newestFirst);
}

/** Merged by id, so that nothing is shown twice after a reconnect. */
export function newestFirst(before: readonly RunEvent[], fresh: readonly RunEvent[]): RunEvent[] {
  const byId = new Map([...before, ...fresh].map((event) => [event.id, event]));
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, KEPT);
}
