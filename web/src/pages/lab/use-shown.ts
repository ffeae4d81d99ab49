/** What the middle of the lab shows: a run, its evaluation, or the preview of an environment. All of it in the link. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useRef } from "react";
import type { Run } from "@/api/types";
import { runsQuery } from "@/entities/runs/queries";

const route = getRouteApi("/");

export function useShown() {
  const { run, evaluation, preview } = route.useSearch();
  const navigate = route.useNavigate();
  // Only the id: the list changes four times a second while something runs.
  const newest = useInfiniteQuery({
    ...runsQuery(),
    select: ({ pages }) => firstShown(pages[0]?.items ?? []),
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

/** The newest run with pictures; an adopted one has none, and is shown only when there is nothing else. */
export const firstShown = (runs: readonly Run[]): string | null =>
  (runs.find((run) => !run.source) ?? runs[0])?.id ?? null;

export type Shown = ReturnType<typeof useShown>;
