/** The runs that a run comes from by warm starts, the oldest first, each up to the step that the next one took. */
import { queryOptions } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { keys } from "@/entities/query-keys";
import { runQuery } from "@/entities/runs/queries";
import { trainConfigOf } from "@/entities/runs/words";

export interface Ancestor {
  run: Run;
  /** Step of the checkpoint that the next run started from. */
  upTo: number;
}

/** More would not be readable in one chart. */
const MOST = 10;

export const startOfRun = (run: Run) => trainConfigOf(run)?.start_from ?? null;

export const ancestorsQuery = (run: Run) =>
  queryOptions({
    queryKey: keys.ancestors(run.id),
    queryFn: async ({ client }) => {
      const found: Ancestor[] = [];
      let start = startOfRun(run);
      while (start && found.length < MOST) {
        // A run that was deleted ends the chain: its curve is gone.
        const parent = await client.ensureQueryData(runQuery(start.run_id)).catch(() => null);
        if (parent === null) break;
        found.unshift({ run: parent, upTo: start.timestep ?? 0 });
        start = startOfRun(parent);
      }
      return found;
    },
    staleTime: 60_000,
  });
