/** React's side of the live connection: one for the whole tab. */
import { useEffect, useRef } from "react";
import { useStore } from "@/lib/store";
import { type Batch, type Cursor, Live, type LiveState, type Socket } from "./live";

export const live = new Live(() => {
  const scheme = window.location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${window.location.host}/api/live`) as unknown as Socket;
});

export function useLiveState(): LiveState {
  return useStore(live.state);
}

/** Calls `onBatch` with what arrives on a topic; `topic` null means not yet. `since` counts when the topic changes. */
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

export const topics = {
  runs: "runs",
  metrics: (runId: string) => `run:${runId}:metrics`,
  events: (runId: string) => `run:${runId}:events`,
  status: (runId: string) => `run:${runId}:status`,
  artifacts: (runId: string) => `run:${runId}:artifacts`,
};
