/** The shown run. Each component that draws it asks for it, so that a change redraws nothing else. */
import { useQuery } from "@tanstack/react-query";
import { runQuery } from "@/entities/runs/queries";

export function useShownRun(runId: string | null) {
  const run = useQuery({ ...runQuery(runId ?? ""), enabled: runId !== null });
  return { run: run.data, error: run.error, isLoading: runId !== null && run.isPending };
}
