import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { keys } from "@/entities/query-keys";

const PREPARING_MS = 2_000;

export const runnersQuery = queryOptions({
  queryKey: keys.runners,
  queryFn: ({ signal }) => data(api.GET("/api/runners", { signal })),
  staleTime: 60_000,
  refetchInterval: (query) =>
    query.state.data?.some((runner) => runner.preparing?.state === "running") ? PREPARING_MS : false,
});

const byId = (runnerId: string) => ({ params: { path: { runner_id: runnerId } } });

/** Sets the folder of a runner's checkout. */
export const putRoot = (runnerId: string, path: string) =>
  data(api.PUT("/api/runners/{runner_id}/root", { ...byId(runnerId), body: { path } }));

/** Starts to install what a runner needs into the lab's Python. */
export const installRunner = (runnerId: string) =>
  data(api.POST("/api/runners/{runner_id}/install", byId(runnerId)));

/** Starts to make a runner's separate Python. */
export const prepareRunner = (runnerId: string) =>
  data(api.POST("/api/runners/{runner_id}/prepare", byId(runnerId)));
