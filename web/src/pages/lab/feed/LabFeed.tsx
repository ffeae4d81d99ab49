/** The middle of the lab: preview, evaluation, training, or the first visit. */

import { lazy, Suspense } from "react";
import type { Run } from "@/api/types";
import { patiently } from "@/lib/chunks";
import type { DraftState } from "@/pages/lab/draft/use-draft";
import type { Columns } from "@/pages/lab/use-columns";
import type { Shown } from "@/pages/lab/use-shown";
import { Button } from "@/ui/Button";
import { EmptyState, ErrorState } from "@/ui/states";
import { FeedLoading, FeedPanel } from "./FeedPanel";
import { FirstVisit } from "./FirstVisit";

const EvaluationFeed = lazy(() => patiently(() => import("./EvaluationFeed")));
const PreviewFeed = lazy(() => patiently(() => import("./PreviewFeed")));
/** A first visit has no run, so it does not wait for this code. */
const TrainingFeed = lazy(() => patiently(() => import("./TrainingFeed")));

export interface LabFeedProps {
  shown: Shown;
  run: Run | undefined;
  error: Error | null;
  draft: DraftState;
  columns: Columns;
  onStarted: (run: Run) => void;
  onTour: () => void;
}

export function LabFeed({ shown, run, error, draft, columns, onStarted, onTour }: LabFeedProps) {
  const { previewEnv, evaluationId, runId, backToTraining } = shown;
  if (previewEnv)
    return (
      <Suspense fallback={<PartLoading title="Preview" columns={columns} />}>
        <PreviewFeed envId={previewEnv} columns={columns} onBack={backToTraining} />
      </Suspense>
    );
  if (evaluationId && runId)
    return (
      <Suspense fallback={<PartLoading title="Evaluation" columns={columns} />}>
        <EvaluationFeed
          key={evaluationId}
          runId={runId}
          evaluationId={evaluationId}
          columns={columns}
          onBack={backToTraining}
        />
      </Suspense>
    );
  if (shown.isFirstVisit)
    return <FirstVisit state={draft} columns={columns} onStarted={onStarted} onTour={onTour} />;
  if (run)
    return (
      <Suspense fallback={<PartLoading title="Live feed" columns={columns} />}>
        <TrainingFeed key={run.id} run={run} shown={shown} columns={columns} />
      </Suspense>
    );
  return (
    <FeedPanel title="Live feed" columns={columns}>
      {error ? (
        <div className="flex h-full min-h-80 flex-col items-center justify-center pb-8">
          <div>
            <ErrorState error={error} />
          </div>
          <Button small onClick={shown.showNewest}>
            Show the newest run
          </Button>
        </div>
      ) : runId ? (
        <FeedLoading />
      ) : (
        <EmptyState title="Loading runs">Waiting for the lab.</EmptyState>
      )}
    </FeedPanel>
  );
}

/** While the code of a part is loaded. */
const PartLoading = ({ title, columns }: { title: string; columns: Columns }) => (
  <FeedPanel title={title} columns={columns}>
    <FeedLoading />
  </FeedPanel>
);
