/** How a run came to be, and what came from it. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { keys } from "@/entities/query-keys";

export const lineageQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.lineage(runId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/lineage", { params: { path: { run_id: runId } }, signal })),
  });
