import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { NewEvaluation, Run } from "@/api/types";

export const evaluationsQuery = (runId: string) =>
  queryOptions({
    queryKey: ["evaluations", runId],
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/evaluations", { params: { path: { run_id: runId } }, signal })),
  });

export const createEvaluation = (runId: string, wanted: NewEvaluation): Promise<Run> =>
  data(
    api.POST("/api/runs/{run_id}/evaluations", {
      params: { path: { run_id: runId } },
      body: wanted,
    }),
  );

export const refreshEvaluations = (client: QueryClient, runId: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: ["evaluations", runId] }),
    client.invalidateQueries({ queryKey: ["artifacts", runId] }),
  ]);
