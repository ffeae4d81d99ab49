import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { NewDuel, Run } from "@/api/types";
import { keys } from "@/entities/query-keys";

/** A run's best checkpoint, or one that is named. */
export type Contestant = NewDuel["contestants"][number];

export const createDuel = (contestants: readonly Contestant[], episodes: number): Promise<Run> =>
  data(api.POST("/api/duels", { body: { contestants: [...contestants], episodes } }));

/** Duels between exactly these, newest first. */
export const duelsQuery = (contestants: readonly Contestant[]) =>
  queryOptions({
    queryKey: keys.duelsBetween(contestants.map(nameOf)),
    queryFn: async ({ signal }) => {
      const page = await data(
        api.GET("/api/runs", { params: { query: { kind: "duel", limit: 100 } }, signal }),
      );
      return page.items.filter((run) => isBetween(run, contestants));
    },
    enabled: contestants.length >= 2,
  });

/** Whether a duel was between these; a duel of named checkpoints is not one of their runs' best. */
export function isBetween(run: Run, contestants: readonly Contestant[]): boolean {
  if (run.config.kind !== "duel") return false;
  const text = (list: readonly Contestant[]) => list.map(nameOf).sort().join();
  return text(run.config.contestants) === text(contestants);
}

const nameOf = ({ run_id, checkpoint }: Contestant): string =>
  checkpoint ? `${run_id}@${checkpoint}` : run_id;
