/** The dashboard: prepare on the left, watch in the middle, understand on the right. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useTicks } from "@/features/metrics/use-ticks";
import { useLiveRuns, useRun } from "@/features/runs/live-runs";
import { runsQuery } from "@/features/runs/queries";
import { RunMoves } from "@/features/runs/RunMoves";
import { RunProgress } from "@/features/runs/RunProgress";
import { StatusBadge } from "@/features/runs/StatusBadge";
import { useRunTitle } from "@/lib/page-title";
import { EventLog } from "@/panels/event-log/EventLog";
import { useRunEvents } from "@/panels/event-log/use-run-events";
import { MetricCard } from "@/panels/metric-card/MetricCard";
import { Stage } from "@/panels/stage/Stage";
import { Panel } from "@/ui/Panel";
import { Configuration } from "./Configuration";
import { useDraft } from "./use-draft";

const route = getRouteApi("/");

export function LabPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const draft = useDraft();
  const newest = useInfiniteQuery(runsQuery()).data?.pages[0]?.items[0]?.id ?? null;
  const runId = search.run ?? newest;
  useLiveRuns();
  return (
    <div className="grid gap-4 p-4 sm:p-6 lg:grid-cols-[17rem_minmax(0,1fr)] xl:grid-cols-[17rem_minmax(0,1fr)_20rem]">
      <h1 className="sr-only">Lab</h1>
      <Configuration
        state={draft}
        onStarted={(run) => void navigate({ search: (s) => ({ ...s, run: run.id }) })}
      />
      <div className="flex min-w-0 flex-col gap-4">
        <LiveFeed runId={runId} />
        <MetricRow runId={runId} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 lg:col-span-2 xl:col-span-1">
        <Panel title="Event log" flush>
          <EventLog events={useRunEvents(runId)} />
        </Panel>
      </div>
    </div>
  );
}

function LiveFeed({ runId }: { runId: string | null }) {
  return (
    <Panel title="Live feed" flush actions={runId && <LiveRunActions runId={runId} />}>
      <Stage
        path={runId && `/api/runs/${runId}/frames`}
        label="Live feed of the run"
        placeholder={
          runId ? "Frames appear when the run plays." : "Press TRAIN: the agent's first steps appear here."
        }
      />
      {runId && (
        <div className="px-4 py-3">
          <LiveRunProgress runId={runId} />
        </div>
      )}
    </Panel>
  );
}

function LiveRunActions({ runId }: { runId: string }) {
  const run = useRun(runId).data;
  if (!run) return null;
  return (
    <div className="flex items-center gap-4">
      <StatusBadge status={run.status} />
      <RunMoves run={run} small />
    </div>
  );
}

function LiveRunProgress({ runId }: { runId: string }) {
  const run = useRun(runId).data;
  useRunTitle(run);
  if (!run) return null;
  return (
    <div className="flex flex-col gap-2">
      <Link to="/runs/$runId" params={{ runId }} className="self-start text-sm font-medium hover:underline">
        {run.name}
      </Link>
      <RunProgress run={run} />
    </div>
  );
}

function MetricRow({ runId }: { runId: string | null }) {
  const ticks = useTicks(runId);
  const last = ticks.at(-1);
  return (
    <div className="grid grid-cols-2 gap-4 2xl:grid-cols-4">
      <MetricCard title="Mean reward" value={last?.mean_reward} recent={ticks.map((t) => t.mean_reward)} />
      <MetricCard
        title="Episode length"
        value={last?.episode_length}
        recent={ticks.map((t) => t.episode_length)}
      />
      <MetricCard title="Loss" value={last?.loss} recent={ticks.map((t) => t.loss)} />
      <MetricCard title="FPS" value={last?.fps} recent={ticks.map((t) => t.fps)} />
    </div>
  );
}
