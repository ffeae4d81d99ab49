/** The learning curve of each variant over its seeds, with a band that says what it is. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { AggregateCurves, Study } from "@/api/types";
import { LineChart } from "@/charts/LineChart";
import { LineSample } from "@/charts/LineSample";
import type { Series } from "@/charts/series";
import { levelText } from "@/entities/evaluations/interval";
import { StatisticSelect } from "@/entities/studies/StatisticSelect";
import { curvesQuery, STATISTICS } from "@/entities/studies/statistics";
import type { Look } from "@/lib/colour";
import { formatPlural } from "@/lib/format";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import type { StudySearch } from "./search";

/** More lines at once cannot be told apart. */
const FEW = 8;

export interface StudyCurvesProps {
  study: Study;
  look: (variant: string) => Look;
  search: StudySearch;
  onSearch: (change: StudySearch) => void;
}

export function StudyCurves({ study, look, search, onSearch }: StudyCurvesProps) {
  const statistic = search.statistic ?? "mean";
  const curves = useQuery({ ...curvesQuery(study.id, statistic), enabled: study.counts.runs > 0 });
  const [showsAll, setShowsAll] = useState(false);
  const themeNow = useStore(theme);
  const all = useMemo(() => (curves.data ? seriesOf(curves.data, look) : []), [curves.data, look]);
  const shown = useMemo(() => (showsAll ? all : best(all, FEW)), [all, showsAll]);
  const solvedAt = nearThreshold(curves.data?.threshold ?? null, shown);
  const threshold = useMemo(
    () => (solvedAt === null ? null : { value: solvedAt, label: "solved" }),
    [solvedAt],
  );
  return (
    <Panel
      title="Learning curves"
      actions={
        <>
          {all.length > FEW && (
            <Button small kind="quiet" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
              {showsAll ? `Only the best ${FEW}` : `All ${all.length}`}
            </Button>
          )}
          <StatisticSelect value={statistic} onChange={(next) => onSearch({ statistic: next })} />
        </>
      }
    >
      {curves.isLoading && <Loading lines={6} />}
      {curves.isError && <ErrorState error={curves.error} onRetry={() => void curves.refetch()} />}
      {!curves.isLoading && !curves.isError && all.length === 0 && (
        <EmptyState title="No curves yet">They appear with the first finished episodes.</EmptyState>
      )}
      {curves.data && all.length > 0 && (
        <div className="flex flex-col gap-2">
          <LineChart
            title={curves.data.title}
            series={shown}
            xTitle="step"
            yTitle={[curves.data.title, curves.data.unit].filter(Boolean).join(", ")}
            threshold={threshold}
            height={320}
            theme={themeNow}
          />
          <ul
            aria-label="Legend"
            className="flex max-h-28 flex-wrap gap-x-4 gap-y-1 overflow-y-auto text-xs text-ink-2"
          >
            {shown.map((line) => (
              <li key={line.id} className="flex min-w-0 items-center gap-1.5" title={line.label}>
                <LineSample colour={line.colour} dash={line.dash} />
                <span className="truncate">{line.label}</span>
              </li>
            ))}
          </ul>
          <p className="text-xs text-ink-3">{bandText(curves.data)}</p>
        </div>
      )}
    </Panel>
  );
}

export function seriesOf(curves: AggregateCurves, look: (variant: string) => Look): Series[] {
  return curves.groups
    .filter((group) => group.step.length > 0)
    .map((group) => ({
      id: String(group.variant ?? group.label),
      label: group.label,
      ...look(String(group.variant ?? group.label)),
      xs: group.step,
      ys: group.value,
      low: group.low,
      high: group.high,
      counts: group.seeds,
    }));
}

/** Those whose last value is highest, in their own order. */
export function best(series: readonly Series[], many: number): readonly Series[] {
  if (series.length <= many) return series;
  const last = (one: Series) => one.ys[one.ys.length - 1] ?? -Infinity;
  const chosen = new Set(series.toSorted((a, b) => last(b) - last(a)).slice(0, many));
  return series.filter((one) => chosen.has(one));
}

/** Once a curve comes near it; before, the scale would press all curves together. */
export function nearThreshold(threshold: number | null, series: readonly Series[]): number | null {
  if (threshold === null) return null;
  const values = series.flatMap(({ ys }) => Array.from(ys)).filter((y): y is number => y !== null);
  if (values.length === 0) return null;
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  return threshold - high <= high - low ? threshold : null;
}

/** What the band is, and what was done with seeds that ended early. */
export function bandText({ level, statistic, groups, notes }: AggregateCurves): string {
  const seeds = Math.max(0, ...groups.map((group) => group.run_ids.length));
  const band =
    level === null
      ? `No band: an interval needs at least 5 seeds, and there are ${formatPlural(seeds, "seed")}.`
      : `The band is the ${levelText(level)} confidence interval of the ${STATISTICS[statistic].toLowerCase()} over the seeds, at each step.`;
  return [band, ...notes].join(" ");
}
