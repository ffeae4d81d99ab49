/** Keeps the list of checkpoints up to date: it is fetched again when a run that may have new ones reports. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { Run } from "@/api/types";
import { topics, useLiveTopic } from "@/api/use-live";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { throttled } from "@/lib/throttled";

const EVERY_MS = 5_000;

/** `isLong`: many pages are loaded; then only runs that start or end refresh them, not each report of a training. */
export function useLiveCheckpoints(isLong: boolean): void {
  const client = useQueryClient();
  const statuses = useRef(new Map<string, string>());
  const { ask, cancel } = useMemo(
    () => throttled(() => void refresh(client, keys.checkpoints, keys.models), EVERY_MS),
    [client],
  );
  useEffect(() => cancel, [cancel]);
  useLiveTopic<Run>(topics.runs, null, (runs) => {
    const before = statuses.current;
    const isChanged = runs.some((run) => before.has(run.id) && before.get(run.id) !== run.status);
    const isNew = before.size > 0 && runs.some((run) => !before.has(run.id));
    for (const run of runs) before.set(run.id, run.status);
    if (!document.hidden && (isChanged || isNew || !isLong)) ask();
  });
}
