import { queryOptions } from "@tanstack/react-query";
import { mediaAddress } from "@/api/addresses";
import { api, data } from "@/api/client";
import type { Run } from "@/api/types";
import { keys } from "@/entities/query-keys";

export const createVerification = (runId: string): Promise<Run> =>
  data(
    api.POST("/api/runs/{run_id}/verifications", {
      params: { path: { run_id: runId } },
      body: {},
    }),
  );

/** All verifications of a training, newest first. */
export const verificationsQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.verifications(runId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/verifications", { params: { path: { run_id: runId } }, signal })),
  });

/** Software and hardware of a run; null before it has reported them. */
export const snapshotQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.snapshot(runId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/snapshot", { params: { path: { run_id: runId } }, signal })),
  });

/** The page of a certificate, by the id of its artifact. */
export const certificateAddress = (artifactId: string): string =>
  mediaAddress(`/api/artifacts/${artifactId}?download=true`);
