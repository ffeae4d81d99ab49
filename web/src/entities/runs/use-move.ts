/** Starts, stops, pauses or resumes a run. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keepRun, type Move, moveRun } from "./queries";

export function useMove(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (move: Move) => moveRun(runId, move),
    onSuccess: (after) => keepRun(client, after),
  });
}
