/** The dashboard: prepare on the left, watch in the middle, understand on the right. */
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useDeferredValue } from "react";
import type { Run } from "@/api/types";
import { useLiveRun } from "@/entities/runs/live-runs";
import { useRunTitle } from "@/entities/runs/page-title";
import { useThreshold } from "@/entities/solved/use-solved";
import { chunk } from "@/lib/chunks";
import { LabAside } from "@/pages/lab/aside/LabAside";
import { Configuration } from "@/pages/lab/configure/Configuration";
import { useDraft } from "@/pages/lab/draft/use-draft";
import { LabFeed, type LabFeedProps } from "@/pages/lab/feed/LabFeed";
import { RewardHistory } from "@/panels/reward-history/RewardHistory";
import { cx } from "@/ui/cx";
import { EvaluationCards, PreviewCards, TrainingCards } from "./LabCards";
import { TestButton, TestedNote } from "./TestButton";
import { TourOffer } from "./TourOffer";
import { LAB_TOUR } from "./tour";
import { gridColumns, useColumns } from "./use-columns";
import { useOpenDropped } from "./use-open-dropped";
import { type Shown, useShown } from "./use-shown";
import { useShownRun, useStagedEnvironment } from "./use-shown-run";
import { isTourOffered, useTour } from "./use-tour";

/** Loaded when it starts. */
const Tour = lazy(chunk(() => import("@/panels/tour/Tour")));

export function LabPage() {
  const draft = useDraft();
  const shown = useShown();
  const columns = useColumns();
  const tour = useTour();
  // The middle is drawn first: all three columns at once would keep a click waiting for a tenth of a second.
  const hasSides = useDeferredValue(true, false);
  useLiveRun(shown.runId);
  const stagedEnvId = useStagedEnvironment(shown);
  const started = (made: Run) => shown.showRun(made.id);
  return (
    <div
      className={cx(
        "container-page grid gap-3 py-3 max-lg:pb-20 lg:h-[calc(100dvh-3.5rem-1px)]",
        gridColumns(columns),
      )}
      {...useOpenDropped(() => columns.setLeftOpen(true))}
    >
      <h1 className="sr-only">Lab</h1>
      <div
        className={cx(
          "flex min-h-0 min-w-0 flex-col gap-3 max-lg:order-3",
          !columns.isLeftOpen && "lg:hidden",
        )}
      >
        <OfferedTour runId={shown.runId} tour={tour} />
        {hasSides && (
          <Configuration
            state={draft}
            shown={shown}
            onStarted={started}
            stagedEnvId={stagedEnvId}
            test={<TestButton shown={shown} />}
          />
        )}
        <TestedNote shown={shown} />
      </div>
      <div className="contents min-h-0 min-w-0 flex-col gap-3 lg:flex lg:overflow-y-auto xl:contents">
        <div className="flex min-h-0 min-w-0 flex-col gap-3 max-lg:order-1 lg:max-xl:shrink-0 xl:overflow-y-auto">
          <Centre shown={shown} draft={draft} columns={columns} onStarted={started} onTour={tour.start} />
        </div>
        <div
          className={cx(
            "flex min-h-0 min-w-0 flex-col gap-3 max-lg:order-2 lg:max-xl:shrink-0",
            !columns.isRightOpen && "lg:hidden",
          )}
        >
          {hasSides && <LabAside shown={shown} />}
        </div>
      </div>
      <Suspense>{tour.isOn && <Tour stops={LAB_TOUR} onEnd={tour.end} />}</Suspense>
    </div>
  );
}

function OfferedTour({ runId, tour }: { runId: string | null; tour: ReturnType<typeof useTour> }) {
  const { run } = useShownRun(runId);
  if (!isTourOffered(tour.wasSeen, run)) return null;
  return <TourOffer onStart={tour.start} onDismiss={tour.end} />;
}

type CentreProps = Omit<LabFeedProps, "run" | "error">;

function Centre(props: CentreProps) {
  const { shown } = props;
  const { run, error } = useShownRun(shown.runId);
  const navigate = useNavigate();
  useRunTitle(run);
  const threshold = useThreshold(run);
  const historyOf = shown.evaluationId ?? run?.id ?? null;
  const open = (runId: string, episode: number) =>
    void navigate({ to: "/runs/$runId", params: { runId }, search: { tab: "episodes", episode } });
  return (
    <>
      <LabFeed {...props} run={run} error={error} />
      {hasNumbers(shown, run) && <Numbers shown={shown} run={run} />}
      {hasNumbers(shown, run) && hasEpisodes(shown, run) && (
        <RewardHistory
          runId={historyOf}
          whose={shown.evaluationId ? "of the evaluation" : undefined}
          threshold={threshold}
          onOpen={(episode) => historyOf && open(historyOf, episode)}
        />
      )}
    </>
  );
}

/** Neither a preview nor a folder of scalars has episodes to draw. */
const hasEpisodes = (shown: Shown, run: Run | undefined): boolean =>
  shown.previewEnv === null && !(run?.source && run.progress.episodes === 0);

/** A run that waits has none: dashes and an empty axis would say less than its place in the queue. */
const hasNumbers = (shown: Shown, run: Run | undefined): boolean =>
  shown.previewEnv !== null || shown.evaluationId !== null || run?.status !== "queued";

function Numbers({ shown, run }: { shown: Shown; run: Run | undefined }) {
  if (shown.previewEnv) return <PreviewCards envId={shown.previewEnv} />;
  if (shown.evaluationId && run) return <EvaluationCards run={run} evaluationId={shown.evaluationId} />;
  return <TrainingCards run={run} />;
}
