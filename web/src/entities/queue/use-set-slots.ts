/** Changes how many trainings and jobs run at the same time. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { QueueState } from "@/api/types";
import { keys } from "@/entities/query-keys";
import { toastProblem } from "@/ui/toasts";
import { putSlots } from "./queries";

export function useSetSlots(onSaved: (state: QueueState) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: putSlots,
    onSuccess(next) {
      client.setQueryData(keys.queue, next);
      onSaved(next);
    },
    onError: toastProblem,
  });
}
