/** The shown run, live. Asked for where it is drawn, so that its news redraws nothing else. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Run, RunEvent } from "@/api/types";
import { topics, useLiveTopic } from "@/api/use-live";
import { refreshEvaluations } from "@/entities/evaluations/queries";
import { keepRun, runQuery } from "@/entities/runs/queries";

export function useShownRun(runId: string | null) {
  const run = useQuery({ ...runQuery(runId ?? ""), enabled: runId !== null });
  return { run: run.data, error: run.error, isLoading: runId !== null && run.isPending };
}

/** Once for the page: keeps the run, and the list of its evaluations, as new as the lab's news. */
export function useRunNews(runId: string | null): void {
  const client = useQueryClient();
  useLiveTopic<Run>(runId === null ? null : topics.status(runId), null, (runs) => {
    for (const run of runs) keepRun(client, run);
  });
  useLiveTopic<RunEvent>(runId === null ? null : topics.events(runId), null, (events) => {
    if (runId !== null && events.some((event) => event.type.startsWith("evaluat")))
      void refreshEvaluations(client, runId);
  });
}
