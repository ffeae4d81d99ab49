/** TEST: an evaluation of the shown run, its frames while it plays, its video and summary afterwards. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { createEvaluation, evaluationsQuery } from "@/entities/evaluations/queries";
import { summaryOf } from "@/entities/results/results";
import { useRun } from "@/entities/runs/live-runs";
import { keepRun } from "@/entities/runs/queries";

export const EPISODES = 5;

export function useTest(onStarted: (evaluation: Run) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (runId: string) =>
      createEvaluation(runId, {
        episodes: EPISODES,
        deterministic: true,
        record: true,
        checkpoint: null,
      }),
    onSuccess(evaluation) {
      keepRun(client, evaluation);
      onStarted(evaluation);
    },
  });
}

/** One evaluation of a run: live as a run of its own, with its result once the lab has it. */
export function useEvaluation(runId: string, evaluationId: string) {
  const run = useRun(evaluationId);
  const all = useQuery(evaluationsQuery(runId));
  const found = all.data?.find((e) => e.run_id === evaluationId);
  return {
    run,
    numbers: summaryOf(found?.summary),
    video: found?.video ?? null,
  };
}

/** Where TEST cannot be pressed, why. */
export function whyNotTest(run: Run | undefined, isLoading: boolean): string | null {
  if (isLoading) return "The run is being asked for.";
  if (!run) return "Train first: TEST plays what was learned.";
  if (run.kind !== "train") return "Only a training can be tested.";
  if (run.source) return "An adopted run was trained elsewhere; the lab cannot play it.";
  if (run.isolation) return "A script’s checkpoint is its own; the lab cannot play it.";
  if (run.progress.timestep === 0 && run.status !== "succeeded")
    return "Nothing is learned yet; wait for the first checkpoint.";
  return null;
}
