import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Run } from "@/api/types";
import { keys } from "@/entities/query-keys";

export const createDuel = (runIds: readonly string[], episodes: number): Promise<Run> =>
  data(
    api.POST("/api/duels", {
      body: { contestants: runIds.map((run_id) => ({ run_id })), episodes },
    }),
  );

/** Duels between exactly these runs, newest first. */
export const duelsQuery = (runIds: readonly string[]) =>
  queryOptions({
    queryKey: keys.duelsBetween(runIds),
    queryFn: async ({ signal }) => {
      const page = await data(
        api.GET("/api/runs", { params: { query: { kind: "duel", limit: 100 } }, signal }),
      );
      const wanted = [...runIds].sort().join();
      return page.items.filter((run) => contestantsOf(run).sort().join() === wanted);
    },
    enabled: runIds.length >= 2,
  });

export const contestantsOf = (run: Run): string[] =>
  run.config.kind === "duel" ? run.config.contestants.map((one) => one.run_id) : [];
