/** The curves of all shown runs, one colour each; seeds of one configuration can be drawn as a mean with a band. */
import type { Run } from "@/api/types";
import type { Series } from "@/charts/series";
import { startOfRun } from "@/entities/continuing/ancestors";
import { useJoined } from "@/entities/continuing/use-joined";
import { metricOfAxis } from "@/entities/metrics/axis";
import { inOrder, metricNames, returnsOf } from "@/entities/metrics/series";
import { useManyMetrics } from "@/entities/metrics/use-metrics";
import { wholeSeries } from "@/entities/metrics/whole-series";
import { isOver } from "@/entities/runs/status";
import { useThreshold } from "@/entities/solved/use-solved";
import { StatisticSelect } from "@/entities/studies/StatisticSelect";
import type { Look } from "@/lib/colour";
import { formatPlural } from "@/lib/format";
import { ChartGrid, rangeOf } from "@/panels/chart-grid/ChartGrid";
import { ChartToolbar } from "@/panels/chart-grid/ChartToolbar";
import { Button } from "@/ui/Button";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { bandText, groupLine, useGroupCurves } from "./group-curves";
import { type Compared, groupsOf, singlesOf } from "./groups";
import { lastValueAt, meanOf, missingText, type SeedLine } from "./mean-line";
import type { CompareSearch } from "./search";

const LOWEST_TO_HIGHEST =
  "Each line is the mean over all seeds of one configuration: a run that ended early keeps its last value, and the line ends where a run in progress is. The band reaches from the lowest to the highest seed; by step, it is the confidence interval.";

export interface ComparedChartsProps {
  compared: readonly Compared[];
  look: (runId: string) => Look;
  search: CompareSearch;
  onSearch: (change: CompareSearch) => void;
}

export function ComparedCharts({ compared, look, search, onSearch }: ComparedChartsProps) {
  const runs = compared.flatMap((one) => one.runs);
  const isOneEnvironment = new Set(runs.map((run) => run.env_id)).size === 1;
  const threshold = useThreshold(isOneEnvironment ? runs[0] : undefined);
  const x = search.x ?? "step";
  const isGrouped = search.group ?? false;
  const canJoin = x === "step" && !isGrouped && runs.some((run) => startOfRun(run) !== null);
  const isJoined = canJoin && (search.parents ?? false);
  const joined = useJoined(runs, isJoined);
  /** The range of a joined axis is not one of each run's steps. */
  const range = isJoined ? null : rangeOf(search);
  const canGroup = groupsOf(runs).some((group) => group.runs.length > 1);
  const statistic = search.statistic ?? "mean";
  /** By step the lab computes the curves of groups; here, their first runs tell which metrics there are. */
  const hasIntervals = isGrouped && x === "step";
  const drawn = hasIntervals ? compared.map((one) => one.runs[0]!) : runs;
  const { wholes, shown } = useManyMetrics(
    drawn.map((run) => run.id),
    x,
    range,
  );
  const names = inOrder(wholes.flatMap((whole) => (whole.data ? metricNames(whole.data) : []))).filter(
    (name) => name !== metricOfAxis(x),
  );
  const { curves, failed: failedCurves } = useGroupCurves({
    groups: hasIntervals ? compared.filter((one) => one.runs.length > 1) : [],
    names,
    statistic,
    isZoomed: range !== null,
  });
  const failed = wholes.find((whole) => whole.isError) ?? failedCurves;
  const lineOf = (one: Compared, name: string): Series[] => {
    const as = { id: one.id, label: one.label, ...look(one.id) };
    if (hasIntervals && one.runs.length > 1) {
      const found = curves.get(name);
      const line = found ? groupLine(found, one, as) : null;
      return line ? [line] : [];
    }
    const lines = one.runs.map((run) => seedLine(run, name, as));
    if (lines.every(({ line }) => line.xs.length === 0)) return [];
    if (one.runs.length === 1) return [lines[0]!.line];
    return [meanOf(lines, { ...as, label: as.label + missingText(lines, one.runs.length) })];
  };
  const seedLine = (run: Run, name: string, as: Pick<Series, "id" | "label" | "colour">): SeedLine => {
    const [whole, part] = [wholes[drawn.indexOf(run)]?.data, shown[drawn.indexOf(run)]];
    const line = part ? returnsOf(part, name, x, as) : { ...as, xs: [], ys: [] };
    const isBefore = range !== null && line.xs.length === 0 && whole !== undefined && isOver(run);
    return {
      line: isBefore ? lastValueAt(returnsOf(whole, name, x, as), range[0]) : line,
      hasEnded: isOver(run),
    };
  };
  const wholeOf = (one: Compared, name: string) =>
    wholeSeries(one.id, name, x, { id: one.id, label: one.label, ...look(one.id) });
  const charts = names.map((name) => ({
    name,
    series: joined.join(
      name,
      compared.flatMap((one) => lineOf(one, name)),
    ),
    marks: joined.marks,
    totalPoints: hasIntervals ? 0 : Math.max(0, ...shown.map((metrics) => metrics?.series[name]?.total ?? 0)),
  }));
  const nameOf = (ids: readonly string[]) =>
    compared.find((one) => one.runs.some((run) => ids.includes(run.id)))?.label ?? "one of them";
  const [first] = curves.values();
  const explained = hasIntervals ? first && bandText(first, nameOf) : LOWEST_TO_HIGHEST;
  return (
    <section aria-label="Charts" className="flex flex-col gap-4">
      <ChartToolbar search={search} onSearch={onSearch} names={names}>
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
        {canJoin && (
          <Button
            small
            kind={isJoined ? "primary" : "outline"}
            aria-pressed={isJoined}
            className="h-9"
            title="Runs that started with the weights of another one are drawn after it"
            onClick={() => onSearch({ parents: isJoined ? undefined : true, from: undefined, to: undefined })}
          >
            After their parents’ curves
          </Button>
        )}
        {hasIntervals && canGroup && (
          <StatisticSelect value={statistic} onChange={(next) => onSearch({ statistic: next })} />
        )}
      </ChartToolbar>
      {isGrouped && canGroup && <p className="max-w-[110ch] text-xs text-ink-2">{explained}</p>}
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      {names.length === 0 && wholes.some((whole) => whole.isPending) && <Loading lines={5} />}
      {names.length === 0 && wholes.every((whole) => whole.isSuccess) && (
        <EmptyState title="No metrics yet">The curves appear with the first finished episodes.</EmptyState>
      )}
      {names.length > 0 && (
        <ChartGrid
          charts={charts}
          fileName={`comparison of ${formatPlural(runs.length, "run")}`}
          threshold={threshold}
          onWhole={(name) => Promise.all(singlesOf(runs).map((one) => wholeOf(one, name)))}
          search={search}
          onSearch={onSearch}
        />
      )}
    </section>
  );
}
