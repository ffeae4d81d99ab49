/** Starts a play and adds it to the cache. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { keepRun } from "@/entities/runs/queries";
import { createPlay } from "./queries";

export function useStartPlay(onStarted: (run: Run) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: createPlay,
    onSuccess(run) {
      keepRun(client, run);
      void refresh(client, keys.runs);
      onStarted(run);
    },
  });
}
