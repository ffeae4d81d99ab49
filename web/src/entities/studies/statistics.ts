/** What is computed from the runs of a study: curves, comparison, and what its sweep shows. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { AggregateCurves, Comparison, QueryOf } from "@/api/types";
import { keys } from "@/entities/query-keys";

const at = (studyId: string) => ({ path: { study_id: studyId } });
const part = { placeholderData: keepPreviousData, staleTime: 10_000 } as const;

type ComparisonQuestion = Pick<QueryOf<"compare_study">, "measure" | "protocol">;
export type CurveStatistic = NonNullable<QueryOf<"get_study_curves">["statistic"]>;

export const STATISTICS: Record<CurveStatistic, string> = {
  mean: "Mean",
  iqm: "Interquartile mean",
  median: "Median",
};

export const curvesQuery = (studyId: string, statistic: CurveStatistic) =>
  queryOptions({
    queryKey: keys.studyPart(studyId, "curves", { statistic }),
    queryFn: async ({ signal }) =>
      (await data(
        api.GET("/api/studies/{study_id}/curves", {
          params: { ...at(studyId), query: { statistic } },
          signal,
        }),
      )) as AggregateCurves,
    // Thousands of points are not compared one by one.
    structuralSharing: false,
    ...part,
  });

export const studyComparisonQuery = (studyId: string, question: ComparisonQuestion) =>
  queryOptions({
    queryKey: keys.studyPart(studyId, "comparison", question),
    // The client's types turn the pairs of an interval into lists.
    queryFn: async ({ signal }) =>
      (await data(
        api.GET("/api/studies/{study_id}/comparison", {
          params: { ...at(studyId), query: question },
          signal,
        }),
      )) as Comparison,
    ...part,
  });

export const importanceQuery = (studyId: string) =>
  queryOptions({
    queryKey: keys.studyPart(studyId, "importance"),
    queryFn: ({ signal }) =>
      data(api.GET("/api/studies/{study_id}/importance", { params: at(studyId), signal })),
    ...part,
  });

export const slicesQuery = (studyId: string) =>
  queryOptions({
    queryKey: keys.studyPart(studyId, "slices"),
    queryFn: ({ signal }) => data(api.GET("/api/studies/{study_id}/slices", { params: at(studyId), signal })),
    ...part,
  });

export const surfaceQuery = (studyId: string, x: string, y: string) =>
  queryOptions({
    queryKey: keys.studyPart(studyId, "surface", { x, y }),
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/studies/{study_id}/surface", { params: { ...at(studyId), query: { x, y } }, signal }),
      ),
    ...part,
  });
