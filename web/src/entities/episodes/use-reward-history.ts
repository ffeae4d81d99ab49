/** The last episodes of a run, oldest first. Asked for again while ticks arrive, at most once a second. */
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { useOnTicks } from "@/api/use-on-ticks";

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
  useOnTicks(runId, AGAIN_MS, () => void client.invalidateQueries({ queryKey: query.queryKey }));
  const history = useQuery(query);
  const bars = [...(history.data?.items ?? [])]
    .reverse()
    .map(({ episode, reward }) => ({ episode, reward: reward as number | null }));
  return { bars, error: history.error, retry: () => void history.refetch() };
}
