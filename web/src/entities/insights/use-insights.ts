/** What the lab reads out of a run's curves; asked for again as the run goes on, seldom enough to cost nothing. */
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, data } from "@/api/client";
import { useOnTicks } from "@/api/use-on-ticks";

const AGAIN_MS = 2_000;

export const insightsQuery = (runId: string | null) =>
  queryOptions({
    queryKey: ["insights", runId],
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/insights", { params: { path: { run_id: runId! } }, signal })),
    enabled: runId !== null,
  });

export function useInsights(runId: string | null, status: string | undefined) {
  const client = useQueryClient();
  const query = insightsQuery(runId);
  useOnTicks(runId, AGAIN_MS, () => void client.invalidateQueries({ queryKey: query.queryKey }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a run is the moment to look again
  useEffect(() => {
    if (runId !== null) void client.invalidateQueries({ queryKey: ["insights", runId] });
  }, [status]);
  return useQuery(query);
}
