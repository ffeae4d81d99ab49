/** A run's series, reduced to what a chart can show. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Metrics } from "@/api/types";
import { keys } from "@/entities/query-keys";
import { grown } from "./live-points";

/** Maximum number of points of a line; a screen has fewer pixels. */
export const POINTS = 2_000;

export interface MetricsWanted {
  /** In steps. */
  from?: number;
  to?: number;
  points?: number;
  /** Separated by commas; all when absent. */
  names?: string;
}

const fetchMetrics = (runId: string, wanted: MetricsWanted, signal: AbortSignal) =>
  data(
    api.GET("/api/runs/{run_id}/metrics", {
      params: { path: { run_id: runId }, query: { points: POINTS, ...wanted } },
      signal,
    }),
  );

export const metricsQuery = (runId: string, wanted: MetricsWanted = {}) =>
  queryOptions({
    queryKey: keys.metrics(runId, wanted),
    queryFn: async ({ client, queryKey, signal }) => {
      const before = client.getQueryData<Metrics>(queryKey);
      const fetched = await fetchMetrics(runId, wanted, signal);
      const now = client.getQueryData<Metrics>(queryKey);
      // Points that were pushed while the response was on its way are kept.
      return now === undefined || now === before ? fetched : grown(fetched, now, wanted.points ?? POINTS);
    },
    // While a zoom is loading, the coarser data stays on the screen.
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    structuralSharing: false,
  });
