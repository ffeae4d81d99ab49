import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Artifact } from "@/api/types";

export const artifactsQuery = (runId: string) =>
  queryOptions({
    queryKey: ["artifacts", runId],
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/artifacts", { params: { path: { run_id: runId } }, signal })),
  });

export const addressOf = (artifact: Pick<Artifact, "id">): string => `/api/artifacts/${artifact.id}`;
