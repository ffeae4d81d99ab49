/** Starts a run and adds it to the cache. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { NewRun, Run } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { createRun, keepRun } from "./queries";

export function useStart(onStarted: (run: Run) => void, onError?: (error: unknown, wanted: NewRun) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: createRun,
    onSuccess(run) {
      keepRun(client, run);
      void refresh(client, keys.runs);
      onStarted(run);
    },
    onError,
  });
}
