/** Trains more seeds of compared configurations. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { keepRun, runAgain } from "@/entities/runs/queries";
import { keepStudy } from "@/entities/studies/live-studies";
import { addSeeds } from "@/entities/studies/queries";
import { formatPlural } from "@/lib/format";
import { toast, toastProblem } from "@/ui/toasts";
import type { MoreSeeds } from "./more-seeds";

/** `onCreated`: the new runs; those of a study are created by the study, a little later. */
export function useMoreSeeds(onCreated: (runIds: string[]) => void) {
  const client = useQueryClient();
  return useMutation({
    async mutationFn(plan: MoreSeeds): Promise<string[]> {
      if (plan.kind === "study") {
        keepStudy(client, await addSeeds(plan.studyId, plan.count, plan.variants));
        toast(`${formatPlural(plan.count, "seed")} of each added to their study.`);
        return [];
      }
      const created: string[] = [];
      try {
        for (const { run, seed } of plan.repeats) {
          const made = await runAgain(run.id, seed);
          keepRun(client, made);
          created.push(made.id);
        }
      } catch (error) {
        // Those that were created before it train and are shown.
        toastProblem(error);
      }
      if (created.length > 0) toast(`${formatPlural(created.length, "run")} added; they are in the queue.`);
      return created;
    },
    onSuccess(created, plan) {
      void refresh(client, keys.runs, ...(plan.kind === "study" ? [keys.studyParts(plan.studyId)] : []));
      if (created.length > 0) onCreated(created);
    },
    onError: toastProblem,
  });
}
