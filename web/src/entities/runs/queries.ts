/** Requests about runs. */

import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { NewRun, Run, RunPage, RunPatch, RunStatus } from "@/api/types";
import { refresh, refreshedByStatus } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import type { Kind } from "./status";

export interface RunFilter {
  q?: string;
  status?: RunStatus[];
  archived?: boolean;
  kind?: Kind;
  env_id?: string;
  algorithm?: string;
  tag?: string;
  sort?: string;
  /** The runs of one study. */
  study_id?: string;
  /** Those that learned from the version of a dataset with this content hash. */
  dataset?: string;
  /** Of each study only its first run. */
  folded?: boolean;
}

const PAGE = 100;

export const runsQuery = (filter: RunFilter = {}) =>
  infiniteQueryOptions({
    queryKey: keys.runsWhere(filter),
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET("/api/runs", { params: { query: { ...filter, limit: PAGE, cursor: pageParam } }, signal }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // Deep comparison of ten thousand runs on every page and every tick would make the table slow.
    structuralSharing: false,
  });

const MOST_PAGES = 20;

/** All runs of a study in the order of creation, in the shape of a list of pages: live messages keep it up to date. */
export const studyRunsQuery = (studyId: string) =>
  queryOptions({
    queryKey: keys.runsWhere({ study_id: studyId, sort: "created_at" }),
    queryFn: async ({ signal }) => {
      const pages: RunPage[] = [];
      for (let cursor: string | null = null; pages.length === 0 || (cursor && pages.length < MOST_PAGES); ) {
        const query = { study_id: studyId, sort: "created_at", limit: PAGE, cursor };
        const page: RunPage = await data(api.GET("/api/runs", { params: { query }, signal }));
        pages.push(page);
        cursor = page.next_cursor;
      }
      return { pages, pageParams: pages.map(() => null) };
    },
    structuralSharing: false,
    staleTime: 10_000,
  });

export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.run(runId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}", { params: { path: { run_id: runId } }, signal })),
  });

/** The command line that starts the same run again. */
export const runCommandQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.runCommand(runId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/command", { params: { path: { run_id: runId } }, signal })),
  });

export const createRun = (body: NewRun): Promise<Run> => data(api.POST("/api/runs", { body }));

/** The same training once more; `seed` takes another seed. */
export const runAgain = (runId: string, seed?: number): Promise<Run> =>
  data(
    api.POST("/api/runs/{run_id}/again", {
      params: { path: { run_id: runId } },
      body: { seed, start: true },
    }),
  );

const MOVES = {
  start: "/api/runs/{run_id}/start",
  stop: "/api/runs/{run_id}/stop",
  pause: "/api/runs/{run_id}/pause",
  resume: "/api/runs/{run_id}/resume",
} as const;

export type Move = keyof typeof MOVES;

export const moveRun = (runId: string, move: Move): Promise<Run> =>
  data(api.POST(MOVES[move], { params: { path: { run_id: runId } } }));

export const patchRun = (runId: string, body: RunPatch): Promise<Run> =>
  data(api.PATCH("/api/runs/{run_id}", { params: { path: { run_id: runId } }, body }));

export const deleteRun = (runId: string) =>
  data(api.DELETE("/api/runs/{run_id}", { params: { path: { run_id: runId } } }));

/** Undoes a delete, as long as the files still exist. */
export const restoreRun = (runId: string): Promise<Run> =>
  data(api.POST("/api/runs/{run_id}/restore", { params: { path: { run_id: runId } } }));

/** A run that arrived replaces the older one in the cache, and refreshes what depends on its status. */
export function keepRun(client: QueryClient, run: Run): void {
  const known = client.getQueryData<Run>(keys.run(run.id));
  if (known && known.version > run.version) return;
  client.setQueryData(keys.run(run.id), run);
  if (known && known.status !== run.status) void refresh(client, ...refreshedByStatus(run));
}
