/** Statistics of runs over their seeds, and their learning curves. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { AggregateCurves, Comparison, QueryOf, Run } from "@/api/types";
import { keys } from "@/entities/query-keys";
import { isOver } from "@/entities/runs/status";

export type ComparisonQuestion = Pick<QueryOf<"compare_runs">, "measure" | "reference" | "protocol">;
export type CurveQuestion = Pick<QueryOf<"compare_curves">, "metric" | "statistic" | "points">;

const WHILE_TRAINING_MS = 5_000;

/** What is computed from these runs: asked again when one of them has ended, and now and then while one trains. */
const following = (runs: readonly Run[]) => {
  const ended = runs.filter(isOver).length;
  return {
    ids: runs.map((run) => run.id),
    ended,
    options: {
      placeholderData: keepPreviousData,
      staleTime: 10_000,
      refetchInterval: ended < runs.length ? WHILE_TRAINING_MS : (false as const),
    },
  };
};

export const comparisonQuery = (runs: readonly Run[], question: ComparisonQuestion = {}) => {
  const { ids, ended, options } = following(runs);
  return queryOptions({
    queryKey: keys.comparison(ids, { ...question, ended }),
    // The client's types turn the pairs of an interval into lists.
    queryFn: async ({ signal }) =>
      (await data(
        api.GET("/api/compare", { params: { query: { ...question, runs: ids } }, signal }),
      )) as Comparison,
    ...options,
  });
};

export const groupCurvesQuery = (runs: readonly Run[], question: CurveQuestion) => {
  const { ids, ended, options } = following(runs);
  return queryOptions({
    queryKey: keys.comparison(ids, { ...question, ended }),
    queryFn: async ({ signal }) =>
      (await data(
        api.GET("/api/compare/curves", { params: { query: { ...question, runs: ids } }, signal }),
      )) as AggregateCurves,
    // Thousands of points are not compared one by one.
    structuralSharing: false,
    ...options,
  });
};
