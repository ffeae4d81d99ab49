/** Starting an evaluation of a run, and following one. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { NewEvaluation, Run } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { useRun } from "@/entities/runs/live-runs";
import { keepRun } from "@/entities/runs/queries";
import { createEvaluation, evaluationsQuery } from "./queries";

export function useEvaluate(runId: string, onStarted: (evaluation: Run) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wanted: NewEvaluation) => createEvaluation(runId, wanted),
    onSuccess: async (evaluation) => {
      keepRun(client, evaluation);
      await refresh(client, keys.evaluations(runId));
      onStarted(evaluation);
    },
  });
}

/** One evaluation of a run: its own run, live, and its result once there is one. */
export function useEvaluation(runId: string, evaluationId: string) {
  const run = useRun(evaluationId);
  const all = useQuery(evaluationsQuery(runId));
  const found = all.data?.find((one) => one.run_id === evaluationId);
  return { run, numbers: found?.summary ?? null, video: found?.video ?? null };
}
