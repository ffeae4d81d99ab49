import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";

export const environmentsQuery = queryOptions({
  queryKey: ["environments"],
  queryFn: ({ signal }) => data(api.GET("/api/environments", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** One line of a smoke test. */
export interface SmokeFinding {
  check: string;
  level: "ok" | "warning" | "problem";
  message: string;
  remarks?: string[];
}

export interface SmokeTest {
  env_id: string;
  version: string;
  findings: SmokeFinding[];
}

export interface Exactness {
  exact: boolean;
  note: string;
  episodes?: number;
  steps?: number;
}

export const runSmokeTest = (envId: string) =>
  data(
    api.POST("/api/environments/{env_id}/smoke-test", { params: { path: { env_id: envId } } }),
  ) as unknown as Promise<SmokeTest>;

/** Played twice and compared; the lab keeps the answer, the first one takes seconds. */
export const exactnessQuery = (envId: string) =>
  queryOptions({
    queryKey: ["exactness", envId],
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/environments/{env_id}/exactness", { params: { path: { env_id: envId } }, signal }),
      ) as unknown as Promise<Exactness>,
    staleTime: Number.POSITIVE_INFINITY,
  });
