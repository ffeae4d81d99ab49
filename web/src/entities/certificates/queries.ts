import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Run } from "@/api/types";
import { keys } from "@/entities/query-keys";

export const createCertificate = (runId: string): Promise<Run> =>
  data(
    api.POST("/api/runs/{run_id}/certificates", {
      params: { path: { run_id: runId } },
      body: {},
    }),
  );

/** All certifications of a training, newest first. */
export const certificatesQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.certificates(runId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/certificates", { params: { path: { run_id: runId } }, signal })),
  });
