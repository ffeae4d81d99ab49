/** The last episodes of a run, oldest first: fetched once, then extended with the points that the lab pushes. */
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import { api, data } from "@/api/client";
import type { Metrics } from "@/api/types";
import { live, topics } from "@/api/use-live";
import type { Bar } from "@/charts/RewardBars";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { throttled } from "@/lib/throttled";
import { extended, LAST } from "./reward-history";

const AGAIN_MS = 1_000;

const historyQuery = (runId: string | null) =>
  queryOptions({
    queryKey: keys.rewardHistory(runId),
    queryFn: ({ signal }) => fetchBars(runId!, signal),
    enabled: runId !== null,
    placeholderData: (before, query) => (query?.queryKey[1] === runId ? keepPreviousData(before) : undefined),
  });

async function fetchBars(runId: string, signal: AbortSignal): Promise<readonly Bar[]> {
  const page = await data(
    api.GET("/api/runs/{run_id}/episodes", {
      params: { path: { run_id: runId }, query: { limit: LAST } },
      signal,
    }),
  );
  return page.items.map(({ episode, reward }) => ({ episode, reward })).reverse();
}

export function useRewardHistory(runId: string | null) {
  const history = useQuery(historyQuery(runId));
  useExtended(history.isSuccess && !history.isPlaceholderData ? runId : null);
  return { bars: history.data ?? [], error: history.error, retry: () => void history.refetch() };
}

function useExtended(runId: string | null): void {
  const client = useQueryClient();
  useEffect(() => (runId === null ? undefined : keepExtended(client, runId)), [client, runId]);
}

function keepExtended(client: QueryClient, runId: string): () => void {
  const { queryKey } = historyQuery(runId);
  const { ask, cancel } = throttled(() => void refresh(client, queryKey), AGAIN_MS);
  const leave = live.subscribe(topics.points(runId), null, ({ items, reset }) => {
    let bars: readonly Bar[] | null = client.getQueryData(queryKey) ?? null;
    for (const item of items) bars = bars && extended(bars, item as Metrics);
    // A response that is on its way would replace the bars, so it is requested again.
    if (reset || bars === null || client.isFetching({ queryKey }) > 0) {
      if (!document.hidden) ask();
    } else client.setQueryData(queryKey, bars);
  });
  return () => {
    leave();
    cancel();
  };
}
