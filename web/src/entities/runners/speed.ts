/** How fast this machine trains a configuration: measured on its past runs, or a rough figure before the first. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { keys } from "@/entities/query-keys";

export const speedQuery = (envId: string, runner: string, algorithm: string) =>
  queryOptions({
    queryKey: keys.speed(envId, runner, algorithm),
    queryFn: ({ signal }) => {
      const params = { path: { runner_id: runner }, query: { algorithm, env_id: envId } };
      return data(api.GET("/api/runners/{runner_id}/speed", { params, signal }));
    },
    staleTime: 60_000,
  });
