/** The last episodes of a run, oldest first. */
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { keys } from "@/entities/query-keys";

export const LAST = 100;

const historyQuery = (runId: string | null) =>
  queryOptions({
    queryKey: keys.rewardHistory(runId),
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
  const history = useQuery(historyQuery(runId));
  const bars = [...(history.data?.items ?? [])].reverse().map(({ episode, reward }) => ({ episode, reward }));
  return { bars, error: history.error, retry: () => void history.refetch() };
}
