/** Requests about named models. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { CheckpointItem, Model, ModelPatch, NewModel, NewVersion, VersionPatch } from "@/api/types";
import { keys } from "@/entities/query-keys";

export const modelsQuery = queryOptions({
  queryKey: keys.models,
  queryFn: async ({ signal }) => (await data(api.GET("/api/models", { signal }))).items,
});

const at = (name: string) => ({ path: { name } });
const versionAt = (name: string, version: number) => ({ path: { name, version } });

export const createModel = (body: NewModel): Promise<Model> => data(api.POST("/api/models", { body }));

export const addVersion = (name: string, body: NewVersion): Promise<Model> =>
  data(api.POST("/api/models/{name}/versions", { params: at(name), body }));

export const patchModel = (name: string, body: ModelPatch): Promise<Model> =>
  data(api.PATCH("/api/models/{name}", { params: at(name), body }));

export const deleteModel = (name: string) => data(api.DELETE("/api/models/{name}", { params: at(name) }));

export const patchVersion = (name: string, version: number, body: VersionPatch): Promise<Model> =>
  data(api.PATCH("/api/models/{name}/versions/{version}", { params: versionAt(name, version), body }));

export const deleteVersion = (name: string, version: number) =>
  data(api.DELETE("/api/models/{name}/versions/{version}", { params: versionAt(name, version) }));

/** Copies the kept file of a version into its run again; returns the checkpoint. */
export const restoreVersion = (name: string, version: number): Promise<CheckpointItem> =>
  data(api.POST("/api/models/{name}/versions/{version}/checkpoint", { params: versionAt(name, version) }));
