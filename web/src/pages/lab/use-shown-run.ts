/** The shown run. Each component that draws it asks for it, so that a change redraws nothing else. */
import { useQuery } from "@tanstack/react-query";
import { runQuery } from "@/entities/runs/queries";
import { trainConfigOf } from "@/entities/runs/words";
import type { Shown } from "./use-shown";

export function useShownRun(runId: string | null) {
  const run = useQuery({ ...runQuery(runId ?? ""), enabled: runId !== null });
  return { run: run.data, error: run.error, isLoading: runId !== null && run.isPending };
}

/** The environment on the stage; null while it shows none. Only the id: a run changes four times a second. */
export function useStagedEnvironment({
  runId,
  previewEnv,
}: Pick<Shown, "runId" | "previewEnv">): string | null {
  const ofRun = useQuery({
    ...runQuery(runId ?? ""),
    enabled: runId !== null,
    select: (run) => trainConfigOf(run)?.env_id ?? null,
  });
  return previewEnv ?? ofRun.data ?? null;
}
