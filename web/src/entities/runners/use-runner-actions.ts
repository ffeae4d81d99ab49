/** Setting up a runner: where its scripts are, and installing what it needs. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Runner } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast, toastProblem } from "@/ui/toasts";
import { installableInto } from "./installation";
import { installRunner, prepareRunner, putRoot } from "./queries";

export function useSetRoot(runner: Runner) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (path: string) => putRoot(runner.id, path),
    onSuccess(next) {
      void refresh(client, keys.runners);
      toast(`${next.name}: ${next.algorithms.length} scripts found.`);
    },
  });
}

export function useInstallRunner(runner: Runner) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => (installableInto(runner) === "lab" ? installRunner : prepareRunner)(runner.id),
    onSuccess: () => refresh(client, keys.runners),
    onError: toastProblem,
  });
}
