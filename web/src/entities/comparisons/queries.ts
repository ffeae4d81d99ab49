/** Statistics of runs over their seeds. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Comparison } from "@/api/types";
import { keys } from "@/entities/query-keys";

export const comparisonQuery = (runIds: readonly string[]) =>
  queryOptions({
    queryKey: keys.comparison(runIds),
    // The client's types turn the pairs of an interval into lists.
    queryFn: async ({ signal }) =>
      (await data(
        api.GET("/api/compare", { params: { query: { runs: [...runIds] } }, signal }),
      )) as Comparison,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
