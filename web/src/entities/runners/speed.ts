/** How fast this machine trains, measured on its own finished runs. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Run } from "@/api/types";
import { keys } from "@/entities/query-keys";

const RECENT = 20;

export const speedQuery = (envId: string, runner: string, algorithm: string) =>
  queryOptions({
    queryKey: keys.speed(envId, runner, algorithm),
    queryFn: async ({ signal }) => {
      const query = { env_id: envId, runner, algorithm, status: ["succeeded" as const], limit: RECENT };
      const page = await data(api.GET("/api/runs", { params: { query }, signal }));
      return stepsPerSecond(page.items);
    },
    staleTime: 60_000,
  });

/** The median over runs; null when none has been measured. */
export function stepsPerSecond(runs: readonly Run[]): number | null {
  const speeds = runs
    .filter(({ progress }) => progress.timestep > 0 && progress.elapsed_s > 0)
    .map(({ progress }) => progress.timestep / progress.elapsed_s)
    .sort((a, b) => a - b);
  return speeds[Math.floor(speeds.length / 2)] ?? null;
}
