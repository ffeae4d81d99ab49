/** Archive and delete: done at once, with Undo in the toast. */

import { useQueryClient } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast, toastProblem } from "@/ui/toasts";
import { dropFromLists } from "./live-runs";
import { deleteRun, patchRun, restoreRun } from "./queries";

export function useRunActions() {
  const client = useQueryClient();
  const refreshLists = () => refresh(client, keys.runs);
  const all = async (runs: Run[], act: (run: Run) => Promise<unknown>): Promise<boolean> => {
    try {
      await Promise.all(runs.map(act));
      return true;
    } catch (error) {
      toastProblem(error);
      await refreshLists();
      return false;
    }
  };
  /** The rows disappear at once; undo reloads the list, because only the lab knows their position. */
  const removeRows = async (
    runs: Run[],
    act: (run: Run) => Promise<unknown>,
    done: string,
    undo: typeof act,
  ) => {
    dropFromLists(
      client,
      runs.map((run) => run.id),
    );
    if (!(await all(runs, act))) return;
    toast(done, { undo: () => void all(runs, undo).then(refreshLists) });
  };
  const named = (runs: Run[]) => (runs.length === 1 ? `“${runs[0]!.name}”` : `${runs.length} runs`);
  return {
    archive(runs: Run[], archived: boolean) {
      const done = `${archived ? "Archived" : "Unarchived"} ${named(runs)}.`;
      void removeRows(
        runs,
        (run) => patchRun(run.id, { archived }),
        done,
        (run) => patchRun(run.id, { archived: !archived }),
      );
    },
    remove(runs: Run[]) {
      void removeRows(
        runs,
        (run) => deleteRun(run.id),
        `Deleted ${named(runs)}.`,
        (run) => restoreRun(run.id),
      );
    },
  };
}
