/** A run at a glance: numbers, reward curve, live feed, newest evaluation, events and analysis. */
import type { Run } from "@/api/types";
import { useRunEvents } from "@/entities/events/use-run-events";
import { useTicks } from "@/entities/metrics/use-ticks";
import { isFollowed, isLive } from "@/entities/runs/status";
import { useCapabilities } from "@/entities/runs/use-capabilities";
import { formatDate } from "@/lib/format";
import { DuelView } from "@/panels/duel/DuelView";
import { EventLog } from "@/panels/event-log/EventLog";
import { Film } from "@/panels/film/Film";
import { Analysis } from "@/panels/insights/Analysis";
import { MetricCard } from "@/panels/metric-card/MetricCard";
import { Stage } from "@/panels/stage/Stage";
import { Panel } from "@/ui/Panel";
import { ChildResult } from "./ChildResult";
import { LatestEvaluation } from "./LatestEvaluation";
import { RewardChart } from "./RewardChart";
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
  if (run.kind !== "train") return <ChildResult {...props} />;
  return <TrainingOverview {...props} />;
}

function TrainingOverview({ run, search, onSearch }: TabProps) {
  const events = useRunEvents(run.id);
  const canBeEvaluated = useCapabilities(run)?.evaluate !== false && !run.source;
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <Cards run={run} />
        <RewardChart run={run} search={search} onSearch={onSearch} />
        <div className="grid items-start gap-4 lg:grid-cols-2">
          {isLive(run) && run.status !== "queued" && (
            <Panel title="Live" flush>
              <Stage
                path={`/api/runs/${run.id}/frames`}
                label="The training, live"
                placeholder="The first frame appears with the first episode."
              />
            </Panel>
          )}
          {canBeEvaluated && <LatestEvaluation run={run} onSearch={onSearch} />}
          <Panel
            title="Events"
            flush
            className={isLive(run) || !canBeEvaluated ? "lg:col-span-2" : undefined}
          >
            <EventLog events={events.slice(0, 30)} />
          </Panel>
        </div>
        <p className="figures text-xs text-ink-3">{timesOf(run)}</p>
      </div>
      <Analysis run={run} />
    </div>
  );
}

function Cards({ run }: { run: Run }) {
  const ticks = useTicks(isLive(run) || isFollowed(run) ? run.id : null);
  const recent = (name: "mean_reward" | "reward" | "episode_length" | "loss" | "fps") =>
    ticks.map((tick) => tick[name]);
  const { summary, progress } = run;
  return (
    <section aria-label="Numbers" className="grid grid-cols-2 gap-4 lg:grid-cols-3 2xl:grid-cols-6">
      <h2 className="sr-only">Numbers</h2>
      <MetricCard title="Best mean" value={summary.best_mean_reward} recent={summary.sparkline} />
      <MetricCard title="Mean reward" value={summary.mean_reward} recent={recent("mean_reward")} />
      <MetricCard title="Last reward" value={summary.last_reward} recent={recent("reward")} />
      <MetricCard
        title="Episode length"
        value={summary.mean_length || null}
        recent={recent("episode_length")}
      />
      <MetricCard title="Loss" value={summary.loss} recent={recent("loss")} />
      <MetricCard title="Episodes" value={progress.episodes} recent={recent("fps").map(() => null)} />
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
