/** One run: where it stands, its picture, its curves, its events. */
import { getRouteApi } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { X_AXES } from "@/app/search";
import { ChartGrid } from "@/features/metrics/ChartGrid";
import { metricNames, seriesOf } from "@/features/metrics/series";
import { useMetrics } from "@/features/metrics/use-metrics";
import { useRun } from "@/features/runs/live-runs";
import { RunMoves } from "@/features/runs/RunMoves";
import { RunProgress } from "@/features/runs/RunProgress";
import { StatusBadge } from "@/features/runs/StatusBadge";
import { useRunColour } from "@/lib/colour";
import { useRunTitle } from "@/lib/page-title";
import { EventLog } from "@/panels/event-log/EventLog";
import { useRunEvents } from "@/panels/event-log/use-run-events";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { EmptyState, ErrorState, Loading } from "@/ui/states";

const route = getRouteApi("/runs/$runId");

export function RunPage() {
  const { runId } = route.useParams();
  const run = useRun(runId);
  useRunTitle(run.data);
  if (run.isPending)
    return (
      <div className="p-6">
        <Loading lines={6} />
      </div>
    );
  if (run.isError) return <ErrorState error={run.error} onRetry={() => void run.refetch()} />;
  return (
    <div className="mx-auto flex w-full max-w-[110rem] flex-col gap-6 p-4 sm:p-6">
      <RunHeader run={run.data} />
      <RunCharts run={run.data} />
      <RunEvents runId={runId} />
    </div>
  );
}

function RunHeader({ run }: { run: Run }) {
  const runColour = useRunColour();
  const config = run.config as { env_id?: string; algorithm?: string; seed?: number };
  const facts = [
    config.env_id,
    config.algorithm?.toUpperCase(),
    config.seed === undefined ? null : `seed ${config.seed}`,
    run.id,
  ];
  return (
    <header className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span aria-hidden="true" className="size-3 rounded-full" style={{ background: runColour(run.id) }} />
        <h1 className="text-lg font-semibold">{run.name}</h1>
        <StatusBadge status={run.status} />
        <p className="figures text-xs text-ink-3">{facts.filter(Boolean).join(" · ")}</p>
        <div className="ml-auto">
          <RunMoves run={run} />
        </div>
      </div>
      <RunProgress run={run} />
      {run.reason && (
        <p className="text-sm text-ink-2">
          {run.reason.message} <span className="text-ink">{run.reason.next_step}</span>
        </p>
      )}
    </header>
  );
}

function RunCharts({ run }: { run: Run }) {
  const runColour = useRunColour();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const x = search.x ?? "step";
  const metrics = useMetrics(run.id, { x, from: search.from, to: search.to });
  if (metrics.isPending) return <Loading lines={5} />;
  if (metrics.isError) return <ErrorState error={metrics.error} onRetry={() => void metrics.refetch()} />;
  const line = { id: run.id, label: run.name, colour: runColour(run.id) };
  const charts = metricNames(metrics.data).map((name) => ({
    name,
    series: [seriesOf(metrics.data, name, x, line)],
    totalPoints: metrics.data.series[name]!.total,
  }));
  if (charts.length === 0)
    return <EmptyState title="No metrics yet">They appear with the first finished episode.</EmptyState>;
  return (
    <section aria-label="Charts" className="flex flex-col gap-4">
      <div className="w-36">
        <Select
          label="X axis"
          value={x}
          options={X_AXES.map((axis) => ({ value: axis, title: `by ${axis}` }))}
          onChange={(axis) =>
            void navigate({
              search: (s) => ({
                ...s,
                x: axis === "step" ? undefined : axis,
                from: undefined,
                to: undefined,
              }),
            })
          }
        />
      </div>
      <ChartGrid
        charts={charts}
        search={search}
        onSearch={(change) =>
          void navigate({ search: (s) => ({ ...s, ...change }), replace: true, resetScroll: false })
        }
      />
    </section>
  );
}

function RunEvents({ runId }: { runId: string }) {
  const events = useRunEvents(runId);
  return (
    <Panel title="Event log" flush>
      <EventLog events={events} />
    </Panel>
  );
}
