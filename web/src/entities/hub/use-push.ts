/** Starting and cancelling a push; its progress is in the list of pushes, so a reload of the page keeps it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toastProblem } from "@/ui/toasts";
import { cancelPush, createPush } from "./queries";

export function useStartPush() {
  const client = useQueryClient();
  return useMutation({ mutationFn: createPush, onSuccess: () => refresh(client, keys.pushes) });
}

export function useCancelPush() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: cancelPush,
    onSuccess: () => refresh(client, keys.pushes),
    onError: toastProblem,
  });
}
