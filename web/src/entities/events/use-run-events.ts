/** The newest events of a run, live; the lab sends the recent past first. */
import { useEffect, useState } from "react";
import type { RunEvent } from "@/api/types";
import { topics, useLiveTopic } from "@/api/use-live";

const KEPT = 300;

export function useRunEvents(runId: string | null): readonly RunEvent[] {
  const [events, setEvents] = useState<readonly RunEvent[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run starts with an empty log
  useEffect(() => setEvents([]), [runId]);
  useLiveTopic<RunEvent>(runId === null ? null : topics.events(runId), null, (fresh) =>
    setEvents((before) => newestFirst(before, fresh)),
  );
  return events;
}

/** Merged by id, so that nothing shows twice whatever the connection did. */
export function newestFirst(before: readonly RunEvent[], fresh: readonly RunEvent[]): RunEvent[] {
  const byId = new Map([...before, ...fresh].map((event) => [event.id, event]));
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, KEPT);
}
