/** What the middle of the lab shows: a run, its evaluation, or the preview of an environment. All of it in the link. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useRef } from "react";
import { runsQuery } from "@/entities/runs/queries";

const route = getRouteApi("/");

export function useShown() {
  const { run, evaluation, preview } = route.useSearch();
  const navigate = route.useNavigate();
  // Only the id: the list changes four times a second while something runs.
  const newest = useInfiniteQuery({
    ...runsQuery(),
    select: ({ pages }) => pages[0]?.items[0]?.id ?? null,
  });
  // A run started elsewhere does not change what is shown here.
  const kept = useRef<string | null>(null);
  kept.current ??= newest.data ?? null;
  const go = (change: { run?: string; evaluation?: string; preview?: string }) =>
    void navigate({
      search: (s) => ({ ...s, evaluation: undefined, preview: undefined, ...change }),
      resetScroll: false,
    });
  return {
    runId: run ?? kept.current,
    evaluationId: evaluation ?? null,
    previewEnv: preview ?? null,
    /** The lab has no runs at all. */
    isFirstVisit: newest.data === null && run === undefined,
    showRun: (runId: string) => go({ run: runId }),
    showNewest: () => go({ run: undefined }),
    showEvaluation: (runId: string, evaluationId: string) => go({ run: runId, evaluation: evaluationId }),
    showPreview: (envId: string) => go({ preview: envId }),
    backToTraining: () => go({}),
  };
}

export type Shown = ReturnType<typeof useShown>;
