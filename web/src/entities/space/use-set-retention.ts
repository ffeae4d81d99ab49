/** Changes how much the lab keeps. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { RetentionChange, RetentionState } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toastProblem } from "@/ui/toasts";
import { putRetention } from "./queries";

export function useSetRetention(onSaved: (state: RetentionState) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: RetentionChange) => putRetention(change),
    onSuccess(next) {
      client.setQueryData(keys.retention, next);
      void refresh(client, keys.usage);
      onSaved(next);
    },
    onError: toastProblem,
  });
}
