/** A run at a glance: picture and reward curve, numbers, newest evaluation, events and analysis. */
import type { Run } from "@/api/types";
import { isOffline } from "@/entities/continuing/phases";
import { useRunEvents } from "@/entities/events/use-run-events";
import { useTicks } from "@/entities/metrics/use-ticks";
import { isFollowed, isLive, isOver } from "@/entities/runs/status";
import { useCapabilities } from "@/entities/runs/use-capabilities";
import { usePatchRun } from "@/entities/runs/use-patch-run";
import { useSolved } from "@/entities/solved/use-solved";
import { formatCount, formatDate } from "@/lib/format";
import { DuelView } from "@/panels/duel/DuelView";
import { EventLog } from "@/panels/event-log/EventLog";
import { Film } from "@/panels/film/Film";
import { Analysis } from "@/panels/insights/Analysis";
import { MetricCard } from "@/panels/metric-card/MetricCard";
import { NotePanel } from "@/panels/notes/NotePanel";
import { PlayOverview } from "@/panels/play-summary/PlayOverview";
import { QueuedNote } from "@/panels/queued/QueuedNote";
import { FirstAndBest } from "@/panels/run-actions/FirstAndBest";
import { SolvedNote } from "@/panels/run-actions/SolvedNote";
import { RunStage } from "@/panels/run-stage/RunStage";
import { useStagePlan } from "@/panels/run-stage/use-stage-plan";
import { stepBadges } from "@/panels/stage/Stage";
import { CertificationPanel } from "@/panels/verification/CertificationPanel";
import { CertificationResult, VerificationResult } from "@/panels/verification/ComparisonResult";
import { VerificationPanel } from "@/panels/verification/VerificationPanel";
import { Panel } from "@/ui/Panel";
import { ChildResult } from "./ChildResult";
import { DatasetJobResult } from "./datasets/DatasetJobResult";
import { LatestEvaluation } from "./LatestEvaluation";
import { NotCaptured } from "./NotCaptured";
import { RewardChart } from "./RewardChart";
import { OwnReturnChart } from "./rewards/OwnReturnChart";
import type { TabProps } from "./tab";

export default function OverviewTab(props: TabProps) {
  const { run } = props;
  if (run.kind === "duel") return <DuelView duelId={run.id} />;
  if (run.kind === "film")
    return (
      <Panel title="Film">
        <Film filmId={run.id} />
      </Panel>
    );
  if (run.kind === "play") return <PlayOverview run={run} />;
  if (run.kind === "verify") return <VerificationResult run={run} />;
  if (run.kind === "certify") return <CertificationResult run={run} />;
  if (run.kind === "dataset") return <DatasetJobResult run={run} />;
  if (run.kind !== "train") return <ChildResult {...props} />;
  return <TrainingOverview {...props} />;
}

function TrainingOverview({ run, search, onSearch }: TabProps) {
  const events = useRunEvents(run.id);
  const { threshold, isSolved } = useSolved(run);
  const canBeEvaluated = useCapabilities(run)?.evaluate !== false && !run.source;
  const isScript = useCapabilities(run)?.foreign === true;
  const hasBegun = run.status !== "queued" && run.status !== "created";
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        {isSolved && isOver(run) && <SolvedNote run={run} threshold={threshold} />}
        {run.status === "queued" && (
          <Panel title="Waiting">
            <p className="text-sm">
              <QueuedNote run={run} />
            </p>
          </Panel>
        )}
        {hasBegun && (
          <>
            <div className="grid items-stretch gap-4 lg:grid-cols-2">
              <StagePanel run={run} />
              <div className="flex min-w-0 flex-col gap-4">
                <RewardChart run={run} search={search} onSearch={onSearch} />
                <OwnReturnChart run={run} search={search} onSearch={onSearch} />
              </div>
            </div>
            <Cards run={run} />
          </>
        )}
        {isScript && <NotCaptured run={run} />}
        <div className="grid items-start gap-4 lg:grid-cols-2">
          {canBeEvaluated && hasBegun && <LatestEvaluation run={run} onSearch={onSearch} />}
          <Panel title="Events" flush className={canBeEvaluated && hasBegun ? undefined : "lg:col-span-2"}>
            <EventLog events={events.slice(0, 30)} />
          </Panel>
        </div>
        <RunNote run={run} />
        <div className="grid items-start gap-4 lg:grid-cols-2">
          {isOver(run) && <VerificationPanel run={run} />}
          {(isOver(run) || !hasBegun) && <CertificationPanel run={run} />}
        </div>
        <p className="figures text-xs text-ink-3">{timesOf(run)}</p>
      </div>
      <Analysis run={run} />
    </div>
  );
}

function RunNote({ run }: { run: Run }) {
  const patch = usePatchRun(run);
  const save = (notes: string) => patch({ notes }, notes ? "The note is saved." : "The note is removed.");
  return <NotePanel about="this run" note={run.notes} onSave={save} />;
}

/** The picture above the fold: live, or the best episode in a loop. */
function StagePanel({ run }: { run: Run }) {
  const plan = useStagePlan(run);
  return (
    <Panel
      title={plan.title}
      flush
      className="overflow-hidden"
      actions={isOver(run) && <FirstAndBest run={run} />}
    >
      <RunStage
        run={run}
        plan={plan}
        badges={isOver(run) ? stepBadges : undefined}
        className="h-full min-h-72"
      />
    </Panel>
  );
}

function Cards({ run }: { run: Run }) {
  const ticks = useTicks(isLive(run) || isFollowed(run) ? run.id : null);
  const recent = (name: "mean_reward" | "reward" | "episode_length" | "loss") =>
    ticks.map((tick) => tick[name]);
  const { summary, progress } = run;
  // What learns from a dataset plays no episodes of its own.
  const isEvaluated = isOffline(run) && progress.episodes === 0;
  const score = summary.metrics.normalised_score ?? null;
  return (
    <section aria-label="Numbers" className="grid grid-cols-2 gap-4 lg:grid-cols-3 2xl:grid-cols-6">
      <h2 className="sr-only">Numbers</h2>
      <MetricCard
        title="Best mean"
        value={summary.best_mean_reward}
        recent={summary.sparkline}
        note={isEvaluated ? "of an evaluation" : "of 100 episodes"}
      />
      <MetricCard
        title="Mean reward"
        value={summary.mean_reward}
        recent={recent("mean_reward")}
        note={isEvaluated ? "of the last evaluation" : "of the last 100"}
      />
      <MetricCard
        title="Last reward"
        value={summary.last_reward}
        recent={recent("reward")}
        note="of one episode"
      />
      <MetricCard
        title="Eps length"
        value={summary.mean_length || null}
        recent={recent("episode_length")}
        note="steps, mean of 100"
      />
      <MetricCard title="Loss" value={summary.loss} recent={recent("loss")} note="of the last update" />
      <MetricCard title="Episodes" value={null} text={formatCount(progress.episodes)} note="finished" />
      {score !== null && (
        <MetricCard title="Normalised score" value={score} recent={[]} note="of the last evaluation" />
      )}
      {summary.score_reference && (
        <p className="col-span-full text-xs text-ink-2">{summary.score_reference}</p>
      )}
      {run.returns_note && <p className="col-span-full text-xs text-ink-2">{run.returns_note}</p>}
    </section>
  );
}

function timesOf(run: Run): string {
  const times = [
    `created ${formatDate(run.created_at)}`,
    run.started_at && `started ${formatDate(run.started_at)}`,
    run.ended_at && `ended ${formatDate(run.ended_at)}`,
    run.progress.last_event_at && `last event ${formatDate(run.progress.last_event_at)}`,
  ];
  return times.filter(Boolean).join(" · ");
}
