/** Archive, tag and delete: done at once, with Undo in the toast. */

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
    /** Adds a tag to all, or removes it from all. */
    async tag(runs: Run[], tag: string, isAdded: boolean) {
      const tagged = (run: Run) => [...run.tags.filter((one) => one !== tag), ...(isAdded ? [tag] : [])];
      if (!(await all(runs, (run) => patchRun(run.id, { tags: tagged(run) })))) return;
      await refreshLists();
      const back = (run: Run) => patchRun(run.id, { tags: run.tags });
      const done = `${isAdded ? "Tagged" : "Removed the tag from"} ${named(runs)}: ${tag}.`;
      toast(done, { undo: () => void all(runs, back).then(refreshLists) });
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
