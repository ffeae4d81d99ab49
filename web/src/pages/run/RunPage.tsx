/** One run: its status at the top, everything else in tabs. */
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense, useCallback } from "react";
import { ProblemError } from "@/api/problem";
import type { Run } from "@/api/types";
import { useRun } from "@/entities/runs/live-runs";
import { useRunTitle } from "@/entities/runs/page-title";
import { useCapabilities } from "@/entities/runs/use-capabilities";
import { Boundary } from "@/ui/Boundary";
import { Arriving, ErrorState, Loading } from "@/ui/states";
import { Tabs } from "@/ui/Tabs";
import { RunHeader } from "./RunHeader";
import type { RunSearch, RunTab } from "./search";
import { tabsOf } from "./tabs";

const route = getRouteApi("/runs/$runId");

export function RunPage() {
  const { runId } = route.useParams();
  const run = useRun(runId);
  const navigate = route.useNavigate();
  const showEvaluation = (made: Run) =>
    void navigate({ search: (s) => ({ ...s, tab: "evaluations", evaluation: made.id }), resetScroll: false });
  useRunTitle(run.data);
  if (run.isPending)
    return (
      <div className="p-6">
        <Loading lines={6} />
      </div>
    );
  if (run.isError)
    return (
      <>
        <h1 className="sr-only">This run cannot be shown</h1>
        <RunProblem error={run.error} onRetry={() => void run.refetch()} />
      </>
    );
  return (
    <div className="container-page flex flex-col gap-4 py-4">
      <RunHeader run={run.data} onEvaluation={showEvaluation} />
      <RunTabs run={run.data} />
    </div>
  );
}

/** A run that does not exist is not there on a second try either: the way on is the list. */
function RunProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isMissing = error instanceof ProblemError && [404, 410].includes(error.status);
  if (!isMissing) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <ErrorState
      title="No such run"
      error={error}
      action={
        <Link to="/runs" className="mt-2 text-sm font-semibold underline underline-offset-4">
          All runs
        </Link>
      }
    />
  );
}

function RunTabs({ run }: { run: Run }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = useCallback(
    (change: RunSearch, isStep = false) =>
      void navigate({ search: (s) => ({ ...s, ...change }), replace: !isStep, resetScroll: false }),
    [navigate],
  );
  const tabs = tabsOf(run, useCapabilities(run));
  const shown = tabs.find((tab) => tab.id === search.tab) ?? tabs[0]!;
  const Content = shown.content;
  return (
    <Tabs<RunTab>
      label="Parts of the run"
      value={shown.id}
      onChange={(tab) => onSearch({ tab: tab === "overview" ? undefined : tab }, true)}
      tabs={tabs.map((tab) => ({
        id: tab.id,
        title: tab.title,
        content: (
          <Boundary what={tab.title}>
            {/* Suspends here, not around the page, so that the opened tab keeps the focus. */}
            <Suspense fallback={<Arriving />}>
              <Content run={run} search={search} onSearch={onSearch} />
            </Suspense>
          </Boundary>
        ),
      }))}
    />
  );
}
