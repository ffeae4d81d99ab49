/** Requests about studies. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { NewStudy, Study, StudyPatch, StudyStatus } from "@/api/types";
import { keys } from "@/entities/query-keys";

export interface StudiesFilter {
  q?: string;
  status?: StudyStatus[];
}

const PAGE = 50;
const at = (studyId: string) => ({ path: { study_id: studyId } });

export const studiesQuery = (filter: StudiesFilter = {}) =>
  infiniteQueryOptions({
    queryKey: keys.studiesWhere(filter),
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET("/api/studies", { params: { query: { ...filter, limit: PAGE, cursor: pageParam } }, signal }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const studyQuery = (studyId: string) =>
  queryOptions({
    queryKey: keys.study(studyId),
    queryFn: ({ signal }) => data(api.GET("/api/studies/{study_id}", { params: at(studyId), signal })),
  });

export const variantsQuery = (studyId: string) =>
  queryOptions({
    queryKey: keys.studyPart(studyId, "variants"),
    queryFn: async ({ signal }) =>
      (await data(api.GET("/api/studies/{study_id}/variants", { params: at(studyId), signal }))).items,
    staleTime: 10_000,
  });

export const templatesQuery = (envId: string, runner: string, algorithm: string) =>
  queryOptions({
    queryKey: keys.studyTemplates(envId, runner, algorithm),
    queryFn: async ({ signal }) => {
      const query = { env_id: envId, runner, algorithm };
      return (await data(api.GET("/api/studies/templates", { params: { query }, signal }))).items;
    },
    staleTime: 60_000,
  });

export const createStudy = (body: NewStudy): Promise<Study> => data(api.POST("/api/studies", { body }));

const MOVES = {
  start: "/api/studies/{study_id}/start",
  stop: "/api/studies/{study_id}/stop",
  pause: "/api/studies/{study_id}/pause",
  resume: "/api/studies/{study_id}/resume",
} as const;

export type StudyMove = keyof typeof MOVES;

export const moveStudy = (studyId: string, move: StudyMove): Promise<Study> =>
  data(api.POST(MOVES[move], { params: at(studyId) }));

export const patchStudy = (studyId: string, body: StudyPatch): Promise<Study> =>
  data(api.PATCH("/api/studies/{study_id}", { params: at(studyId), body }));

export const deleteStudy = (studyId: string): Promise<Study> =>
  data(api.DELETE("/api/studies/{study_id}", { params: at(studyId) }));

export const restoreStudy = (studyId: string): Promise<Study> =>
  data(api.POST("/api/studies/{study_id}/restore", { params: at(studyId) }));

export const addSeeds = (studyId: string, count: number, variants: number[] | null): Promise<Study> =>
  data(api.POST("/api/studies/{study_id}/seeds", { params: at(studyId), body: { count, variants } }));

/** A new study that trains a variant again with fresh seeds. */
export const confirmVariant = (studyId: string, variant: number, seeds: number): Promise<Study> =>
  data(
    api.POST("/api/studies/{study_id}/confirmations", {
      params: at(studyId),
      body: { variant, seeds, start: true },
    }),
  );
