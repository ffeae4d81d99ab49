/** Requests about plays: starting one, the keys of an environment, and its high scores. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { HighScores, NewPlay, Run } from "@/api/types";
import { keys } from "@/entities/query-keys";
import type { Controls } from "./controls";

export const createPlay = (wanted: NewPlay): Promise<Run> => data(api.POST("/api/plays", { body: wanted }));

const inEnvironment = (envId: string) => ({ params: { path: { env_id: envId } } });

export const controlsQuery = (envId: string) =>
  queryOptions({
    queryKey: keys.controls(envId),
    queryFn: async ({ signal }) =>
      (await data(
        api.GET("/api/environments/{env_id}/controls", { ...inEnvironment(envId), signal }),
      )) as Controls,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const saveControls = async (envId: string, controls: Controls): Promise<Controls> =>
  (await data(
    api.PUT("/api/environments/{env_id}/controls", { ...inEnvironment(envId), body: controls }),
  )) as Controls;

export const resetControls = async (envId: string): Promise<Controls> =>
  (await data(api.DELETE("/api/environments/{env_id}/controls", inEnvironment(envId)))) as Controls;

export const scoresQuery = (envId: string) =>
  queryOptions({
    queryKey: keys.scores(envId),
    queryFn: ({ signal }): Promise<HighScores> =>
      data(api.GET("/api/environments/{env_id}/scores", { ...inEnvironment(envId), signal })),
  });
