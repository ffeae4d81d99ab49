import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { DerivedMetric, DerivedMetricPatch, ExpressionPreview, NewDerivedMetric } from "@/api/types";
import { keys } from "@/entities/query-keys";

/** By name. */
export const derivedMetricsQuery = queryOptions({
  queryKey: keys.derivedMetrics,
  queryFn: ({ signal }) => data(api.GET("/api/derived-metrics", { signal })),
  staleTime: 60_000,
});

export const expressionFunctionsQuery = queryOptions({
  queryKey: keys.expressionFunctions,
  queryFn: ({ signal }) => data(api.GET("/api/derived-metrics/functions", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The expression computed for one run; a mistake comes with its column. */
export const expressionPreviewQuery = (expression: string, runId: string) =>
  queryOptions<ExpressionPreview>({
    queryKey: keys.expressionPreview(expression, runId),
    queryFn: ({ signal }) =>
      data(api.POST("/api/derived-metrics/preview", { body: { expression, run_id: runId }, signal })),
    // While the next one is computed, the last one stays on the screen.
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  });

export const saveDerivedMetric = (body: NewDerivedMetric): Promise<DerivedMetric> =>
  data(api.POST("/api/derived-metrics", { body }));

export const changeDerivedMetric = (name: string, body: DerivedMetricPatch): Promise<DerivedMetric> =>
  data(api.PATCH("/api/derived-metrics/{name}", { params: { path: { name } }, body }));

export const deleteDerivedMetric = (name: string): Promise<DerivedMetric> =>
  data(api.DELETE("/api/derived-metrics/{name}", { params: { path: { name } } }));
