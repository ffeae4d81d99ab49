import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { NewFilm, Run } from "@/api/types";
import { keys } from "@/entities/query-keys";

/** What a user chose; the lab fills in the rest. */
export type FilmChoice = Partial<NewFilm>;

export const createFilm = (runId: string, choice: FilmChoice): Promise<Run> =>
  data(
    api.POST("/api/runs/{run_id}/films", {
      params: { path: { run_id: runId } },
      body: choice as NewFilm,
    }),
  );

/** The newest film of a run, made or being made. */
export const filmsQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.films(runId),
    queryFn: async ({ signal }) => {
      const page = await data(
        api.GET("/api/runs", { params: { query: { kind: "film", parent_id: runId, limit: 1 } }, signal }),
      );
      return page.items.find((run) => run.parent_id === runId) ?? null;
    },
  });
