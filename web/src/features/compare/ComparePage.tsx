/** Runs over each other: the same metrics, one colour a run. */
import { useQueries } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { ChartGrid } from "@/features/metrics/ChartGrid";
import { metricsQuery } from "@/features/metrics/queries";
import { metricNames, seriesOf } from "@/features/metrics/series";
import { runQuery } from "@/features/runs/queries";
import { StatusBadge } from "@/features/runs/StatusBadge";
import { useRunColour } from "@/lib/colour";
import { formatNumber } from "@/lib/format";
import { EmptyState, ErrorState, Loading } from "@/ui/states";

const route = getRouteApi("/compare");
const MOST = 20;

export function ComparePage() {
  const runColour = useRunColour();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const ids = [...new Set((search.runs ?? "").split(",").filter(Boolean))].slice(0, MOST);
  const x = search.x ?? "step";
  const runs = useQueries({ queries: ids.map((id) => runQuery(id)) });
  const metrics = useQueries({
    queries: ids.map((id) => metricsQuery(id, { x, from: search.from, to: search.to })),
  });
  if (ids.length === 0) {
    return (
      <EmptyState
        title="Nothing to compare yet"
        action={
          <Link to="/runs" className="underline underline-offset-4">
            Go to the runs
          </Link>
        }
      >
        Select two or more runs in the table and press Compare.
      </EmptyState>
    );
  }
  const known = runs.flatMap((run) => (run.data ? [run.data] : []));
  const failed = runs.find((run) => run.isError);
  const names = [...new Set(metrics.flatMap((m) => (m.data ? metricNames(m.data) : [])))];
  const charts = names.map((name) => ({
    name,
    series: ids.flatMap((id, i) => {
      const found = metrics[i]?.data;
      return found
        ? [seriesOf(found, name, x, { id, label: runs[i]?.data?.name ?? id, colour: runColour(id) })]
        : [];
    }),
    totalPoints: Math.max(0, ...metrics.map((m) => m.data?.series[name]?.total ?? 0)),
  }));
  return (
    <div className="mx-auto flex w-full max-w-[110rem] flex-col gap-6 p-4 sm:p-6">
      <h1 className="label text-base">Compare</h1>
      {failed && <ErrorState error={failed.error} />}
      <RunChips
        runs={known}
        onRemove={(id) =>
          void navigate({
            search: (s) => ({ ...s, runs: ids.filter((other) => other !== id).join(",") || undefined }),
          })
        }
      />
      {metrics.some((m) => m.isPending) && <Loading lines={4} />}
      <ChartGrid
        charts={charts}
        search={search}
        onSearch={(change) =>
          void navigate({ search: (s) => ({ ...s, ...change }), replace: true, resetScroll: false })
        }
      />
    </div>
  );
}

function RunChips({ runs, onRemove }: { runs: Run[]; onRemove: (runId: string) => void }) {
  const runColour = useRunColour();
  return (
    <ul className="flex flex-wrap gap-2">
      {runs.map((run) => (
        <li key={run.id} className="flex items-center gap-3 rounded-md border bg-surface px-3 py-1.5 text-sm">
          <span
            aria-hidden="true"
            className="size-2.5 rounded-full"
            style={{ background: runColour(run.id) }}
          />
          <Link to="/runs/$runId" params={{ runId: run.id }} className="hover:underline">
            {run.name}
          </Link>
          <span className="figures text-xs text-ink-3">
            best {formatNumber(run.summary.best_mean_reward)}
          </span>
          <StatusBadge status={run.status} />
          <button
            type="button"
            aria-label={`Remove ${run.name}`}
            onClick={() => onRemove(run.id)}
            className="grid size-6 place-items-center rounded-sm text-ink-3 hover:bg-sunken hover:text-ink"
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
