import { queryOptions } from "@tanstack/react-query";
import { mediaAddress } from "@/api/addresses";
import { api, data } from "@/api/client";
import type { Artifact, NewExport } from "@/api/types";
import { keys } from "@/entities/query-keys";

export const artifactsQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.artifacts(runId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/artifacts", { params: { path: { run_id: runId } }, signal })),
  });

export const addressOf = (artifact: Pick<Artifact, "id">): string =>
  mediaAddress(`/api/artifacts/${artifact.id}`);

/** The same file, saved under a name that says which run it is from. */
export const downloadOf = (artifact: Pick<Artifact, "id">): string =>
  mediaAddress(`/api/artifacts/${artifact.id}?download=true`);

const byId = (artifact: Pick<Artifact, "id">) => ({ params: { path: { artifact_id: artifact.id } } });

export const pinArtifact = (artifact: Artifact, pinned: boolean): Promise<Artifact> =>
  data(api.PATCH("/api/artifacts/{artifact_id}", { ...byId(artifact), body: { pinned } }));

export const renameArtifact = (artifact: Artifact, title: string): Promise<Artifact> =>
  data(api.PATCH("/api/artifacts/{artifact_id}", { ...byId(artifact), body: { title } }));

export const deleteArtifact = (artifact: Pick<Artifact, "id">): Promise<Artifact> =>
  data(api.DELETE("/api/artifacts/{artifact_id}", byId(artifact)));

export const createExport = (runId: string, format: NewExport["format"]): Promise<Artifact> =>
  data(api.POST("/api/runs/{run_id}/exports", { params: { path: { run_id: runId } }, body: { format } }));
