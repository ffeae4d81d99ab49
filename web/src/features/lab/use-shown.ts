/** What the middle of the lab shows: a run, its evaluation, or the preview of an environment. All of it in the link. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useRef } from "react";
import { runsQuery } from "@/features/runs/queries";

const route = getRouteApi("/");

export function useShown() {
  const { run, evaluation, preview } = route.useSearch();
  const navigate = route.useNavigate();
  const runs = useInfiniteQuery(runsQuery());
  const newest = runs.data?.pages[0]?.items[0]?.id ?? null;
  // A run that somebody else starts never changes what is shown here.
  const kept = useRef<string | null>(null);
  kept.current ??= newest;
  const go = (change: { run?: string; evaluation?: string; preview?: string }) =>
    void navigate({
      search: (s) => ({ ...s, evaluation: undefined, preview: undefined, ...change }),
      resetScroll: false,
    });
  return {
    runId: run ?? kept.current,
    evaluationId: evaluation ?? null,
    previewEnv: preview ?? null,
    recent: runs.data?.pages[0]?.items ?? [],
    /** Known to be empty: nobody has trained anything here. */
    isFirstVisit: runs.isSuccess && newest === null && run === undefined,
    showRun: (runId: string) => go({ run: runId }),
    showEvaluation: (runId: string, evaluationId: string) => go({ run: runId, evaluation: evaluationId }),
    showPreview: (envId: string) => go({ preview: envId }),
    backToTraining: () => go({}),
  };
}

export type Shown = ReturnType<typeof useShown>;
