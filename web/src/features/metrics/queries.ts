/** A run's series as charts want them. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { XAxis } from "@/app/search";

export interface MetricsWanted {
  x: XAxis;
  from?: number;
  to?: number;
  points?: number;
  names?: string;
}

export const metricsQuery = (runId: string, wanted: MetricsWanted) =>
  queryOptions({
    queryKey: ["metrics", runId, wanted],
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/runs/{run_id}/metrics", {
          params: { path: { run_id: runId }, query: { points: 1000, ...wanted } },
          signal,
        }),
      ),
    // While a zoom is being answered the coarser picture stays.
    placeholderData: keepPreviousData,
  });
