import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { keys } from "@/entities/query-keys";
import { type Exactness, exactnessOf, type SmokeTest, smokeTestOf } from "@/entities/results/results";

export const environmentsQuery = queryOptions({
  queryKey: keys.environments,
  queryFn: ({ signal }) => data(api.GET("/api/environments", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What an environment can be wrapped in. */
export const wrappersQuery = queryOptions({
  queryKey: keys.wrappers,
  queryFn: ({ signal }) => data(api.GET("/api/wrappers", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export const runSmokeTest = async (envId: string): Promise<SmokeTest> =>
  smokeTestOf(
    await data(api.POST("/api/environments/{env_id}/smoke-test", { params: { path: { env_id: envId } } })),
  );

/** The lab plays the environment twice and compares; the first answer takes seconds, then the lab keeps it. */
export const exactnessQuery = (envId: string) =>
  queryOptions({
    queryKey: keys.exactness(envId),
    queryFn: async ({ signal }): Promise<Exactness> =>
      exactnessOf(
        await data(
          api.GET("/api/environments/{env_id}/exactness", { params: { path: { env_id: envId } }, signal }),
        ),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
