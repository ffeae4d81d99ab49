/** The shown run, live, and the numbers of the evaluation in the feed when there is one. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { topics, useLiveTopic } from "@/api/use-live";
import { keepRun, runQuery } from "@/features/runs/queries";
import { type EvaluationNumbers, evaluationsQuery } from "./evaluation";
import type { Shown } from "./use-shown";

export function useShownRun({ runId, evaluationId }: Shown) {
  const client = useQueryClient();
  useLiveTopic<Run>(runId === null ? null : topics.status(runId), null, (runs) => {
    for (const run of runs) keepRun(client, run);
  });
  const run = useQuery({ ...runQuery(runId ?? ""), enabled: runId !== null });
  const evaluations = useQuery({
    ...evaluationsQuery(runId ?? ""),
    enabled: runId !== null && evaluationId !== null,
  });
  const numbers = evaluations.data?.find((e) => e.run_id === evaluationId)?.summary ?? null;
  return {
    run: run.data,
    error: run.error,
    isLoading: runId !== null && run.isPending,
    numbers: numbers as EvaluationNumbers | null,
  };
}
