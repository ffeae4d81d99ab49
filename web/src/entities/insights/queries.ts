/** The insights that the lab computes from a run's curves. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { keys } from "@/entities/query-keys";

export const insightsQuery = (runId: string | null) =>
  queryOptions({
    queryKey: keys.insights(runId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/insights", { params: { path: { run_id: runId! } }, signal })),
    enabled: runId !== null,
  });

/** Those of the runs that differ only in their seed, grouped, with what the lab says about each group. */
export const seedGroupsQuery = (runIds: readonly string[]) =>
  queryOptions({
    queryKey: keys.seedGroups(runIds),
    queryFn: ({ signal }) =>
      data(api.GET("/api/insights/seeds", { params: { query: { run: [...runIds] } }, signal })),
    enabled: runIds.length > 1,
  });
