/** Saved views of the table of runs: a filter, an order and columns under a name. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { SavedView } from "@/api/types";
import { keys } from "@/entities/query-keys";

export const viewsQuery = queryOptions({
  queryKey: keys.views,
  queryFn: async ({ signal }) => (await data(api.GET("/api/views", { signal }))).items,
});

export const putView = async ({ name, ...contents }: SavedView): Promise<SavedView[]> =>
  (await data(api.PUT("/api/views/{name}", { params: { path: { name } }, body: contents }))).items;

export const deleteView = async (name: string): Promise<SavedView[]> =>
  (await data(api.DELETE("/api/views/{name}", { params: { path: { name } } }))).items;
