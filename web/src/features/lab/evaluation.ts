/** TEST: an evaluation of the shown run, its frames while it plays, its video and summary afterwards. */
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, data } from "@/api/client";
import type { Run } from "@/api/types";
import { useRun } from "@/features/runs/live-runs";
import { keepRun } from "@/features/runs/queries";

export const EPISODES = 5;

/** What of core/evaluations.py the cards show. */
export interface EvaluationNumbers {
  episodes: number;
  return_mean: number;
  return_std: number;
  return_ci: [number, number];
  length_mean: number;
  returns: number[];
  successes?: number | null;
  success_threshold?: number | null;
  checkpoint_timestep?: number | null;
  video_problem?: string | null;
}

export const evaluationsQuery = (runId: string) =>
  queryOptions({
    queryKey: ["evaluations", runId],
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/evaluations", { params: { path: { run_id: runId } }, signal })),
  });

export function useTest(onStarted: (evaluation: Run) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (runId: string) =>
      data(
        api.POST("/api/runs/{run_id}/evaluations", {
          params: { path: { run_id: runId } },
          body: { episodes: EPISODES, deterministic: true, record: true },
        }),
      ),
    onSuccess(evaluation) {
      keepRun(client, evaluation);
      onStarted(evaluation);
    },
  });
}

/** One evaluation of a run: live as a run of its own, with its result once the lab has it. */
export function useEvaluation(runId: string, evaluationId: string) {
  const client = useQueryClient();
  const run = useRun(evaluationId);
  const all = useQuery(evaluationsQuery(runId));
  const found = all.data?.find((e) => e.run_id === evaluationId);
  const status = run.data?.status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of status may bring the result
  useEffect(() => {
    void client.invalidateQueries({ queryKey: evaluationsQuery(runId).queryKey });
  }, [status, client, runId]);
  return {
    run,
    numbers: (found?.summary ?? null) as EvaluationNumbers | null,
    video: found?.video ?? null,
  };
}

/** Where TEST cannot be pressed, why. */
export function whyNotTest(run: Run | undefined, isLoading: boolean): string | null {
  if (isLoading) return "The run is being asked for.";
  if (!run) return "Train first: TEST plays what was learned.";
  if (run.kind !== "train") return "Only a training can be tested.";
  if (run.progress.timestep === 0 && run.status !== "succeeded")
    return "Nothing is learned yet; wait for the first checkpoint.";
  return null;
}
