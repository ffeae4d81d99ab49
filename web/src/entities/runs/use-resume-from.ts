/** Resumes an ended training from one of its checkpoints; what it did after it is dropped and trained again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { toast, toastProblem } from "@/ui/toasts";
import { keepRun } from "./queries";

export function useResumeFrom(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (checkpoint: string) =>
      data(
        api.POST("/api/runs/{run_id}/resume", {
          params: { path: { run_id: runId } },
          body: { checkpoint, rewind: true },
        }),
      ),
    onSuccess: (run) => {
      keepRun(client, run);
      toast("The training resumes from this checkpoint.");
    },
    onError: toastProblem,
  });
}
