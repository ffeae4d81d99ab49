/** Starts a job on datasets: make, collect, import, split, merge, prune, check, verify, export. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DatasetOperation, Run } from "@/api/types";
import { startDatasetJob } from "@/entities/datasets/queries";
import { addToLists, replaceInLists } from "@/entities/runs/live-runs";
import { toastProblem } from "@/ui/toasts";

/** `isQuiet`: the caller shows errors at its fields. */
export function useStartDatasetJob(onStarted: (job: Run) => void, isQuiet = false) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (operation: DatasetOperation) => startDatasetJob(operation),
    onSuccess(job) {
      // The live message about it may have come first.
      if (!replaceInLists(client, job)) addToLists(client, job);
      onStarted(job);
    },
    onError: isQuiet ? () => undefined : toastProblem,
  });
}
