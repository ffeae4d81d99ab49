/** The episodes of a run, and forks from one of their steps. */

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { EpisodeRow, NewFork, Run } from "@/api/types";
import { keys } from "@/entities/query-keys";
import { EPISODE_SEARCH, type EpisodeSearch } from "./episode-search";

const PAGE = 100;

export type EpisodeFilter = Omit<EpisodeSearch, "episodes"> & { sort?: EpisodeSearch["episodes"] };

export function filterOf(search: EpisodeSearch): EpisodeFilter {
  const { episodes: sort, ...all } = Object.fromEntries(
    Object.keys(EPISODE_SEARCH).map((name) => [name, search[name as keyof EpisodeSearch]]),
  );
  const given = Object.entries({ ...all, sort }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as EpisodeFilter;
}

/** The list, from its top or, with `around`, from a few rows before that episode. */
export const episodesQuery = (runId: string, filter: EpisodeFilter, around?: number) =>
  infiniteQueryOptions({
    queryKey: keys.episodes(runId, around === undefined ? filter : { ...filter, around }),
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET("/api/runs/{run_id}/episodes", {
          params: { path: { run_id: runId }, query: { ...filter, limit: PAGE, cursor: pageParam, around } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // Rows never change; comparing thousands of them on every page would be slow.
    structuralSharing: false,
  });

export const episodeQuery = (runId: string, episode: number) =>
  queryOptions({
    queryKey: keys.episode(runId, episode),
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/runs/{run_id}/episodes/{episode}", {
          params: { path: { run_id: runId, episode } },
          signal,
        }),
      ),
  });

/** Each bar is a button, at least 24 px wide in the narrow column of the episodes. */
const MOST_BARS = 12;

/** How the returns of the listed episodes are distributed; the range of returns itself is left out. */
export function returnsQuery(runId: string, filter: EpisodeFilter) {
  const { sort: _, min_reward: __, max_reward: ___, noted: ____, ...query } = filter;
  return queryOptions({
    queryKey: keys.returns(runId, query),
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/runs/{run_id}/episodes/histogram", {
          params: { path: { run_id: runId }, query: { ...query, bars: MOST_BARS } },
          signal,
        }),
      ),
  });
}

/** The newest episode of a run that can be replayed; for a fork, its only one. */
export const recordedEpisodeQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.recordedEpisode(runId),
    queryFn: async ({ signal }) => {
      const page = await data(
        api.GET("/api/runs/{run_id}/episodes", {
          params: { path: { run_id: runId }, query: { recorded: true, limit: 1 } },
          signal,
        }),
      );
      return page.items[0] ?? null;
    },
  });

export interface Landmark {
  title: "First" | "Best" | "Worst";
  row: EpisodeRow;
}

/** The episodes that others are compared with; each of them once, and only those that can be replayed. */
export const landmarksQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.landmarks(runId),
    queryFn: async ({ signal }): Promise<Landmark[]> => {
      const find = async (sort: NonNullable<EpisodeFilter["sort"]>) => {
        const query = { recorded: true, limit: 1, sort };
        const page = await data(
          api.GET("/api/runs/{run_id}/episodes", { params: { path: { run_id: runId }, query }, signal }),
        );
        return page.items[0];
      };
      const [first, best, worst] = await Promise.all([find("episode"), find("-reward"), find("reward")]);
      const found = [
        { title: "First" as const, row: first },
        { title: "Best" as const, row: best },
        { title: "Worst" as const, row: worst },
      ];
      const known = new Set<number>();
      return found.flatMap(({ title, row }) => {
        if (row === undefined || known.has(row.episode)) return [];
        known.add(row.episode);
        return [{ title, row }];
      });
    },
  });

/** The episode that an ended run is best shown by; null when none was recorded. */
export const bestEpisodeQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.bestEpisode(runId),
    queryFn: async ({ signal }) => {
      const page = await data(
        api.GET("/api/runs/{run_id}/episodes", {
          params: { path: { run_id: runId }, query: { recorded: true, sort: "-reward", limit: 1 } },
          signal,
        }),
      );
      return page.items[0] ?? null;
    },
  });

export const createFork = (runId: string, episode: number, wanted: NewFork): Promise<Run> =>
  data(
    api.POST("/api/runs/{run_id}/episodes/{episode}/forks", {
      params: { path: { run_id: runId, episode } },
      body: wanted,
    }),
  );
