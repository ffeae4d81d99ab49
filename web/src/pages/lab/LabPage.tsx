/** The dashboard: prepare on the left, watch in the middle, understand on the right. */
import { useNavigate } from "@tanstack/react-router";
import type { Run, RunEvent } from "@/api/types";
import { useEvaluate } from "@/entities/evaluations/use-evaluations";
import { useRunEvents } from "@/entities/events/use-run-events";
import { useLiveRun } from "@/entities/runs/live-runs";
import { useRunTitle } from "@/entities/runs/page-title";
import { Configuration } from "@/pages/lab/configure/Configuration";
import { useDraft } from "@/pages/lab/configure/use-draft";
import { LabFeed, type LabFeedProps } from "@/pages/lab/feed/LabFeed";
import { EventLog } from "@/panels/event-log/EventLog";
import { Analysis } from "@/panels/insights/Analysis";
import { RewardHistory } from "@/panels/reward-history/RewardHistory";
import { Tour } from "@/panels/tour/Tour";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Panel } from "@/ui/Panel";
import { EvaluationCards, TrainingCards } from "./LabCards";
import { TourOffer } from "./TourOffer";
import { TEST, whyNotTest } from "./test-run";
import { LAB_TOUR } from "./tour";
import { gridColumns, useColumns } from "./use-columns";
import { type Shown, useShown } from "./use-shown";
import { useShownRun, useStagedEnvironment } from "./use-shown-run";
import { isTourOffered, useTour } from "./use-tour";

export function LabPage() {
  const draft = useDraft();
  const shown = useShown();
  const columns = useColumns();
  const tour = useTour();
  useLiveRun(shown.runId);
  const started = (made: Run) => shown.showRun(made.id);
  return (
    <div
      className={cx(
        "container-page grid gap-3 py-3 max-lg:pb-20 lg:h-[calc(100dvh-3.5rem-1px)]",
        gridColumns(columns),
      )}
    >
      <h1 className="sr-only">Lab</h1>
      <div
        className={cx(
          "flex min-h-0 min-w-0 flex-col gap-3 max-lg:order-2",
          !columns.isLeftOpen && "lg:hidden",
        )}
      >
        <OfferedTour runId={shown.runId} tour={tour} />
        <Configuration
          state={draft}
          shown={shown}
          onStarted={started}
          stagedEnvId={useStagedEnvironment(shown)}
          test={<TestButton shown={shown} />}
        />
      </div>
      <div className="contents min-h-0 min-w-0 flex-col gap-3 lg:flex lg:overflow-y-auto xl:contents">
        <div className="flex min-h-0 min-w-0 flex-col gap-3 max-lg:order-1 lg:max-xl:shrink-0 xl:overflow-y-auto">
          <Centre shown={shown} draft={draft} columns={columns} onStarted={started} onTour={tour.start} />
        </div>
        <div
          className={cx(
            "flex min-h-0 min-w-0 flex-col gap-3 max-lg:order-3 lg:max-xl:shrink-0",
            !columns.isRightOpen && "lg:hidden",
          )}
        >
          <Explanation runId={shown.runId} />
          <Events runId={shown.runId} />
        </div>
      </div>
      {tour.isOn && <Tour stops={LAB_TOUR} onEnd={tour.end} />}
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
  const historyOf = shown.evaluationId ?? run?.id ?? null;
  return (
    <>
      <LabFeed {...props} run={run} error={error} />
      {shown.evaluationId && run ? (
        <EvaluationCards runId={run.id} evaluationId={shown.evaluationId} />
      ) : (
        <TrainingCards run={run} />
      )}
      <RewardHistory
        runId={historyOf}
        whose={shown.evaluationId ? "of the evaluation" : undefined}
        onOpen={(episode) =>
          historyOf &&
          void navigate({
            to: "/runs/$runId",
            params: { runId: historyOf },
            search: { tab: "episodes", episode },
          })
        }
      />
    </>
  );
}

function TestButton({ shown }: { shown: Shown }) {
  const { run, isLoading } = useShownRun(shown.runId);
  const test = useEvaluate(shown.runId ?? "", (made) => shown.showEvaluation(shown.runId!, made.id));
  return (
    <Button
      icon="check"
      caps
      className="h-10! flex-1"
      reason={whyNotTest(run, isLoading)}
      disabled={test.isPending}
      onClick={() => run && test.mutate(TEST)}
    >
      Test
    </Button>
  );
}

function Explanation({ runId }: { runId: string | null }) {
  return <Analysis run={useShownRun(runId).run} className="xl:h-[54%] xl:shrink-0" />;
}

function Events({ runId }: { runId: string | null }) {
  const events = useRunEvents(runId).filter(isForPeople);
  return (
    <Panel title="Event log" caps flush className="overflow-hidden xl:min-h-40 xl:flex-1" data-tour="events">
      <EventLog events={events} className="max-h-96 xl:h-full xl:max-h-none" />
    </Panel>
  );
}

/** Messages of the worker about itself are shown on the run's page only. */
const isForPeople = ({ level, type }: RunEvent): boolean => level !== "debug" && type !== "worker_hello";
