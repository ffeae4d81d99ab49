/** React's side of the live connection: one for the whole tab. */
import { useEffect, useRef, useState } from "react";
import { openSocket } from "@/lib/sockets";
import { useStore } from "@/lib/store";
import { socketAddress } from "./addresses";
import { type Batch, type Cursor, Live, type LiveState } from "./live";
import { checkSession } from "./session";

export const live = new Live(() => openSocket(socketAddress("/api/live")), {
  onRefused: () => void checkSession(),
});

export function useLiveState(): LiveState {
  return useStore(live.state);
}

/** Calls `onBatch` with what arrives on a topic; null for no topic yet. `since` is read when the topic changes. */
export function useLiveTopic<T>(
  topic: string | null,
  since: Cursor,
  onBatch: (items: T[], batch: Batch) => void,
): void {
  const latest = useRef({ since, onBatch });
  latest.current = { since, onBatch };
  useEffect(() => {
    if (topic === null) return;
    return live.subscribe(topic, latest.current.since, (batch) =>
      latest.current.onBatch(batch.items as T[], batch),
    );
  }, [topic]);
}

/** The items of a topic, kept while the component is on the screen; another topic starts with none. */
export function useLiveItems<T>(
  topic: string | null,
  add: (before: readonly T[], fresh: readonly T[]) => readonly T[],
): readonly T[] {
  const [kept, setKept] = useState<{ topic: string | null; items: readonly T[] }>({ topic, items: [] });
  const itemsOf = (state: typeof kept) => (state.topic === topic ? state.items : []);
  useLiveTopic<T>(topic, null, (fresh) =>
    setKept((before) => ({ topic, items: add(itemsOf(before), fresh) })),
  );
  return itemsOf(kept);
}

export const topics = {
  runs: "runs",
  queue: "queue",
  alerts: "alerts",
  studies: "studies",
  metrics: (runId: string) => `run:${runId}:metrics`,
  points: (runId: string) => `run:${runId}:points`,
  events: (runId: string) => `run:${runId}:events`,
  status: (runId: string) => `run:${runId}:status`,
  artifacts: (runId: string) => `run:${runId}:artifacts`,
};
