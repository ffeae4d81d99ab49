/** Pushes and pulls that a stop of the lab interrupted, newest first, and how to dismiss one. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Transfer } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toastProblem } from "@/ui/toasts";
import { cancelPull, cancelPush, pullsQuery, pushesQuery } from "./queries";

export function useInterrupted(): Transfer[] {
  const pushes = useQuery(pushesQuery).data ?? [];
  const pulls = useQuery(pullsQuery).data ?? [];
  return [...pushes, ...pulls]
    .filter((one) => one.state === "interrupted")
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
}

export function useDismiss() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, kind }: Transfer) => (kind === "push" ? cancelPush(id) : cancelPull(id)),
    onSuccess: (_, { kind }) => refresh(client, kind === "push" ? keys.pushes : keys.pulls),
    onError: toastProblem,
  });
}
