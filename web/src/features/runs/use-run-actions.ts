/** Archive and delete: done at once, taken back by the toast's Undo. */
import { useQueryClient } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { toast, toastProblem } from "@/ui/toasts";
import { deleteRun, patchRun, restoreRun } from "./queries";

export function useRunActions() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ["runs"] });
  const all = async (runs: Run[], act: (run: Run) => Promise<unknown>) => {
    try {
      await Promise.all(runs.map(act));
    } catch (error) {
      toastProblem(error);
    } finally {
      await refresh();
    }
  };
  const named = (runs: Run[]) => (runs.length === 1 ? `“${runs[0]!.name}”` : `${runs.length} runs`);
  return {
    archive(runs: Run[], archived: boolean) {
      void all(runs, (run) => patchRun(run.id, { archived })).then(() =>
        toast(`${archived ? "Archived" : "Unarchived"} ${named(runs)}.`, {
          undo: () => void all(runs, (run) => patchRun(run.id, { archived: !archived })),
        }),
      );
    },
    remove(runs: Run[]) {
      void all(runs, (run) => deleteRun(run.id)).then(() =>
        toast(`Deleted ${named(runs)}.`, { undo: () => void all(runs, (run) => restoreRun(run.id)) }),
      );
    },
  };
}
