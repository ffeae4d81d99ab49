/** Runs a training again with its settings and seed, or opens the form with them. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { runnersQuery } from "@/entities/runners/queries";
import { toast, toastProblem } from "@/ui/toasts";
import { formSearch } from "./form-link";
import { keepRun, runAgain } from "./queries";
import { trainConfigOf } from "./words";

/** Why a run cannot be repeated; null when it can. */
export function whyNotAgain(run: Run): string | null {
  if (trainConfigOf(run) === null) return "Only a training can be run again.";
  return run.source ? "The lab does not know how an adopted run was started." : null;
}

export function useAgain() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (run: Run) => runAgain(run.id),
    onSuccess(run) {
      keepRun(client, run);
      void refresh(client, keys.runs);
      toast(`Started “${run.name}”.`);
    },
  });
}

/** Opens the lab's form with the settings of a run; nothing starts. */
export function useEditAndRun(): (run: Run) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (run) =>
    void client
      .ensureQueryData(runnersQuery)
      .then((runners) => {
        const search = formSearch(run, runners);
        if (search) return navigate({ to: "/", search });
        toast("This lab no longer has the algorithm of this run.", { tone: "warn" });
      })
      .catch(toastProblem);
}
