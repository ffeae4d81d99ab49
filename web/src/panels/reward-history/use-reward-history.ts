/** The last episodes of a run, oldest first. Asked for again while ticks arrive, at most once a second. */
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { api, data } from "@/api/client";
import type { Tick } from "@/api/types";
import { topics, useLiveTopic } from "@/api/use-live";

export const LAST = 100;
const AGAIN_MS = 1_000;

const historyQuery = (runId: string | null) =>
  queryOptions({
    queryKey: ["reward-history", runId],
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/runs/{run_id}/episodes", {
          params: { path: { run_id: runId! }, query: { limit: LAST } },
          signal,
        }),
      ),
    enabled: runId !== null,
    placeholderData: (before, query) => (query?.queryKey[1] === runId ? keepPreviousData(before) : undefined),
  });

export function useRewardHistory(runId: string | null) {
  const client = useQueryClient();
  const query = historyQuery(runId);
  const askedAt = useRef(0);
  const later = useRef<ReturnType<typeof setTimeout>>(undefined);
  const ask = () => {
    askedAt.current = performance.now();
    later.current = undefined;
    void client.invalidateQueries({ queryKey: query.queryKey });
  };
  useLiveTopic<Tick>(runId === null ? null : topics.metrics(runId), null, () => {
    // The last tick must not be missed, so what comes too soon is asked for later.
    const wait = askedAt.current + AGAIN_MS - performance.now();
    if (!document.hidden) later.current ??= setTimeout(ask, Math.max(0, wait));
  });
  const history = useQuery(query);
  const bars = [...(history.data?.items ?? [])]
    .reverse()
    .map(({ episode, reward }) => ({ episode, reward: reward as number | null }));
  return { bars, error: history.error, retry: () => void history.refetch() };
}
