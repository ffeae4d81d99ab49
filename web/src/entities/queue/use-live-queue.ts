/** Keeps the queue fresh: it changes when a run changes its status, or when somebody steers it. Once for the whole page. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useRunChanges } from "@/api/run-changes";
import { topics, useLiveTopic } from "@/api/use-live";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { throttled } from "@/lib/throttled";

/** Ten runs started at once are one request. */
const EVERY_MS = 300;

export function useLiveQueue(): void {
  const client = useQueryClient();
  const { ask, cancel } = useMemo(
    () => throttled(() => void refresh(client, keys.queue), EVERY_MS),
    [client],
  );
  useEffect(() => cancel, [cancel]);
  useRunChanges(ask);
  useLiveTopic(topics.queue, null, ask);
}
