/** Starting a run that carries somebody's word. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { createRun, keepRun } from "@/features/runs/queries";

export function useStart(onStarted: (run: Run) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: createRun,
    onSuccess(run) {
      keepRun(client, run);
      void client.invalidateQueries({ queryKey: ["runs"] });
      onStarted(run);
    },
  });
}
