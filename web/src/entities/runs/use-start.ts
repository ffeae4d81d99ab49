/** Starting a run: it is known to the page at once. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { NewRun, Run } from "@/api/types";
import { createRun, keepRun } from "./queries";

export function useStart(onStarted: (run: Run) => void, onError?: (error: unknown, wanted: NewRun) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: createRun,
    onSuccess(run) {
      keepRun(client, run);
      void client.invalidateQueries({ queryKey: ["runs"] });
      onStarted(run);
    },
    onError,
  });
}
