/** The curves of all shown runs, one colour a run; seeds of one configuration can be drawn as a mean with a band. */
import type { Run } from "@/api/types";
import type { Series } from "@/charts/series";
import { metricOfAxis } from "@/entities/metrics/axis";
import { inOrder, metricNames, seriesOf } from "@/entities/metrics/series";
import { useManyMetrics } from "@/entities/metrics/use-metrics";
import { useRunColour } from "@/lib/colour";
import { ChartGrid, rangeOf } from "@/panels/chart-grid/ChartGrid";
import { ChartToolbar } from "@/panels/chart-grid/ChartToolbar";
import { Button } from "@/ui/Button";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { type Group, groupsOf, meanOf } from "./groups";
import type { CompareSearch } from "./search";

export interface ComparedChartsProps {
  runs: Run[];
  search: CompareSearch;
  onSearch: (change: CompareSearch) => void;
}

export function ComparedCharts({ runs, search, onSearch }: ComparedChartsProps) {
  const runColour = useRunColour();
  const x = search.x ?? "step";
  const range = rangeOf(search);
  const { wholes, shown } = useManyMetrics(
    runs.map((run) => run.id),
    x,
    range,
  );
  const groups = groupsOf(runs);
  const isGrouped = search.group ?? false;
  const canGroup = groups.some((group) => group.runs.length > 1);
  const names = inOrder(wholes.flatMap((whole) => (whole.data ? metricNames(whole.data) : []))).filter(
    (name) => name !== metricOfAxis(x),
  );
  const failed = wholes.find((whole) => whole.isError);
  const lineOf = (run: Run, name: string): Series[] => {
    const metrics = shown[runs.indexOf(run)];
    const as = { id: run.id, label: run.name, colour: runColour(run.id) };
    const dash = dashOf(run, runs, runColour);
    return metrics?.series[name] ? [{ ...seriesOf(metrics, name, x, as), dash }] : [];
  };
  const groupLine = (group: Group, name: string): Series[] => {
    const lines = group.runs.flatMap((run) => lineOf(run, name));
    if (group.runs.length === 1 || lines.length === 0) return lines;
    return [meanOf(lines, { id: group.id, label: group.label, colour: runColour(group.id) })];
  };
  const charts = names.map((name) => ({
    name,
    series: isGrouped
      ? groups.flatMap((group) => groupLine(group, name))
      : runs.flatMap((run) => lineOf(run, name)),
    totalPoints: Math.max(0, ...shown.map((metrics) => metrics?.series[name]?.total ?? 0)),
  }));
  return (
    <section aria-label="Charts" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1">
          <ChartToolbar search={search} onSearch={onSearch} names={names} />
        </div>
        <Button
          small
          kind={isGrouped ? "primary" : "outline"}
          aria-pressed={isGrouped}
          className="h-9"
          reason={canGroup ? null : "No two of these runs differ only in their seed."}
          onClick={() => onSearch({ group: isGrouped ? undefined : true })}
        >
          Group seeds
        </Button>
      </div>
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      {names.length === 0 && wholes.some((whole) => whole.isPending) && <Loading lines={5} />}
      {names.length === 0 && wholes.every((whole) => whole.isSuccess) && (
        <EmptyState title="No metrics yet">The curves appear with the first finished episodes.</EmptyState>
      )}
      {names.length > 0 && <ChartGrid charts={charts} search={search} onSearch={onSearch} />}
    </section>
  );
}

const DASHES = [undefined, [8, 5], [2, 4], [12, 4, 2, 4]];

/** A run keeps its colour everywhere; of two with the same one, the second is dashed. */
function dashOf(run: Run, runs: readonly Run[], runColour: (runId: string) => string): number[] | undefined {
  const alike = runs.filter((other) => runColour(other.id) === runColour(run.id));
  return DASHES[alike.indexOf(run) % DASHES.length];
}
