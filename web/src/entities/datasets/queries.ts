/** Requests about datasets and the jobs on them. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type {
  Dataset,
  DatasetEpisode,
  DatasetForecast,
  DatasetOperation,
  DatasetPage,
  DatasetPatch,
  DatasetVersion,
  DatasetVersionPatch,
  QueryOf,
  Run,
} from "@/api/types";
import { keys } from "@/entities/query-keys";

/** All of them are listed, so that any column sorts and filters them at once. */
const [WHOLE_PAGE, MOST_PAGES] = [200, 20];

export const datasetsQuery = queryOptions<Dataset[]>({
  queryKey: keys.datasets,
  queryFn: async ({ signal }) => {
    const found: Dataset[] = [];
    for (
      let cursor: string | null = null, pages = 0;
      pages === 0 || (cursor && pages < MOST_PAGES);
      pages++
    ) {
      const query = { limit: WHOLE_PAGE, cursor };
      const page: DatasetPage = await data(api.GET("/api/datasets", { params: { query }, signal }));
      found.push(...page.items);
      cursor = page.next_cursor;
    }
    return found;
  },
});

const at = (name: string) => ({ path: { name } });
const versionAt = (name: string, version: number) => ({ path: { name, version } });

export const datasetQuery = (name: string) =>
  queryOptions<Dataset>({
    queryKey: keys.dataset(name),
    queryFn: ({ signal }) => data(api.GET("/api/datasets/{name}", { params: at(name), signal })),
  });

export interface DatasetEpisodeFilter {
  sort?: QueryOf<"list_dataset_episodes">["sort"];
  return_min?: number;
  return_max?: number;
  length_min?: number;
  length_max?: number;
}

const PAGE = 100;

export const datasetEpisodesQuery = (name: string, version: number, filter: DatasetEpisodeFilter) =>
  infiniteQueryOptions({
    queryKey: keys.datasetEpisodes(name, version, filter),
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET("/api/datasets/{name}/versions/{version}/episodes", {
          params: {
            ...versionAt(name, version),
            query: { ...filter, limit: PAGE, offset: pageParam },
          },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => {
      const loaded = pages.reduce((sum, { items }) => sum + items.length, 0);
      return loaded < page.total ? loaded : null;
    },
    // The contents of a version never change.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

/** One episode of a version; null where it has fewer. */
export const datasetEpisodeQuery = (name: string, version: number, episode: number) =>
  queryOptions<DatasetEpisode | null>({
    queryKey: keys.datasetEpisodes(name, version, { episode }),
    queryFn: async ({ signal }) => {
      const query = { offset: episode, limit: 1 };
      const page = await data(
        api.GET("/api/datasets/{name}/versions/{version}/episodes", {
          params: { ...versionAt(name, version), query },
          signal,
        }),
      );
      return page.items[0] ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What a job would make, without starting it. */
export const forecastQuery = (operation: DatasetOperation) =>
  queryOptions<DatasetForecast>({
    queryKey: keys.datasetForecast(operation),
    queryFn: ({ signal }) => data(api.POST("/api/datasets/forecast", { body: { operation }, signal })),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 30_000,
  });

export const startDatasetJob = (operation: DatasetOperation): Promise<Run> =>
  data(api.POST("/api/datasets/jobs", { body: { operation } }));

export const patchDataset = (name: string, body: DatasetPatch): Promise<Dataset> =>
  data(api.PATCH("/api/datasets/{name}", { params: at(name), body }));

export const deleteDataset = (name: string) => data(api.DELETE("/api/datasets/{name}", { params: at(name) }));

export const patchDatasetVersion = (
  name: string,
  version: number,
  body: DatasetVersionPatch,
): Promise<DatasetVersion> =>
  data(api.PATCH("/api/datasets/{name}/versions/{version}", { params: versionAt(name, version), body }));

export const deleteDatasetVersion = (name: string, version: number) =>
  data(api.DELETE("/api/datasets/{name}/versions/{version}", { params: versionAt(name, version) }));
