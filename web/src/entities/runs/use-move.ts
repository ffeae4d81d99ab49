/** Starts, stops, pauses or resumes a run, or changes its place in the queue. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { keepRun, type Move, moveRun, patchRun, runQuery } from "./queries";

export function useMove(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (move: Move) => moveRun(runId, move),
    onSuccess: (after) => keepRun(client, after),
  });
}

/** Puts a waiting run before the one that would start next. */
export function useStartNext(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (nextId: string) => {
      const next = await client.fetchQuery(runQuery(nextId));
      return patchRun(runId, { priority: next.priority + 1 });
    },
    onSuccess: async (after) => {
      keepRun(client, after);
      await refresh(client, keys.queue);
    },
  });
}
