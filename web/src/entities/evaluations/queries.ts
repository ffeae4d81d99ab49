import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { NewEvaluation, Run } from "@/api/types";
import { keys } from "@/entities/query-keys";

export const evaluationsQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.evaluations(runId),
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
