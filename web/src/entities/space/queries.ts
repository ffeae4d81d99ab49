import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { RetentionChange } from "@/api/types";
import { keys } from "@/entities/query-keys";

const MEASURING_MS = 1_000;
const LOOK_MS = 30_000;

export const runUsageQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.usageOf(runId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/usage", { params: { path: { run_id: runId } }, signal })),
  });

/** The largest runs; polled faster while the lab is still measuring. */
export const usageQuery = queryOptions({
  queryKey: keys.usage,
  queryFn: ({ signal }) => data(api.GET("/api/usage", { params: { query: { limit: 20 } }, signal })),
  refetchInterval: (query) => (query.state.data?.is_complete === false ? MEASURING_MS : LOOK_MS),
});

export const retentionQuery = queryOptions({
  queryKey: keys.retention,
  queryFn: ({ signal }) => data(api.GET("/api/retention", { signal })),
});

export const putRetention = (body: RetentionChange) => data(api.PUT("/api/retention", { body }));
