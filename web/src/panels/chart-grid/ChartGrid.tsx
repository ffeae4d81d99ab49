/** All charts of one or more runs, drawn alike: one smoothing, one x axis, one crosshair. */

import { ChartCard } from "@/charts/ChartCard";
import { cycleCrosshair, toggleCrosshairLock } from "@/charts/crosshair";
import type { Mark, Range } from "@/charts/plot";
import type { Series } from "@/charts/series";
import type { ChartSearch } from "@/entities/metrics/chart-search";
import { expressionOf } from "@/entities/metrics/derived-points";
import { metricHelp, metricTitle, thresholdOf, xTitle, yTitle } from "@/entities/metrics/series";
import { useSmoothing } from "@/entities/metrics/smoothing";
import { useKeys } from "@/lib/keys";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/states";

export interface ChartOf {
  name: string;
  series: Series[];
  /** Where curves that belong together meet. */
  marks?: readonly Mark[];
  totalPoints: number;
  /** Where the values come from: a tag, a key, the lab itself. */
  source?: string | null;
}

export interface ChartGridProps {
  charts: ChartOf[];
  /** Whose charts these are, for the names of downloads. */
  fileName: string;
  /** The name of the axis of steps, where they are not only steps. */
  stepsTitle?: string;
  /** The return at which the environment is solved. */
  threshold?: number | null;
  /** Every point of a metric, for its CSV. */
  onWhole?: (name: string) => Promise<Series[]>;
  search: ChartSearch;
  onSearch: (change: ChartSearch) => void;
  /** “Alert me when” this metric does something. */
  onAlert?: (name: string) => void;
  /** A click on a metric at this step, episode or time. */
  onPick?: (name: string, x: number) => void;
}

export const rangeOf = (search: ChartSearch): Range | null =>
  search.from !== undefined && search.to !== undefined ? [search.from, search.to] : null;

export function ChartGrid(props: ChartGridProps) {
  const {
    charts,
    fileName,
    stepsTitle,
    threshold = null,
    search,
    onSearch,
    onWhole,
    onAlert,
    onPick,
  } = props;
  const x = search.x ?? "step";
  const [smoothing, setSmoothing] = useSmoothing(search, onSearch);
  useKeys([
    { keys: "l", title: "Lock or unlock the crosshair", group: "Charts", run: toggleCrosshairLock },
    { keys: "c", title: "Crosshair: shared, single, off", group: "Charts", run: cycleCrosshair },
    {
      keys: "f",
      title: "Show the whole range again",
      group: "Charts",
      run: () => onSearch({ from: undefined, to: undefined }),
    },
  ]);
  const wanted = (search.find ?? "").toLowerCase();
  const found = charts.filter(
    ({ name }) => name.includes(wanted) || metricTitle(name).toLowerCase().includes(wanted),
  );
  if (found.length === 0)
    return <EmptyState title="No metric matches">Change or clear the filter.</EmptyState>;
  return (
    <div className="grid gap-4 lg:grid-cols-2 2xl:grid-cols-3">
      {found.map((chart) => (
        <ChartCard
          key={chart.name}
          title={metricTitle(chart.name)}
          help={helpOf(chart)}
          series={chart.series}
          marks={chart.marks}
          totalPoints={chart.totalPoints}
          xTitle={x === "step" && stepsTitle ? stepsTitle : xTitle(x)}
          yTitle={yTitle(chart.name)}
          threshold={thresholdOf(chart.name, threshold)}
          fileName={fileName}
          onWhole={onWhole && (() => onWhole(chart.name))}
          xKind={x === "time" ? "time" : "number"}
          smoothing={smoothing}
          logY={search.log ?? false}
          band={search.band ?? false}
          syncKey="metrics"
          range={rangeOf(search)}
          onZoom={(r) => onSearch({ from: r ? rounded(r[0]) : undefined, to: r ? rounded(r[1]) : undefined })}
          onPick={onPick && ((at) => onPick(chart.name, at))}
          actions={
            onAlert && (
              <Button small className="self-start" onClick={() => onAlert(chart.name)}>
                Alert me when…
              </Button>
            )
          }
          onSmoothing={setSmoothing}
          onLogY={(log) => onSearch({ log: log || undefined })}
          onBand={(band) => onSearch({ band: band || undefined })}
        />
      ))}
    </div>
  );
}

/** What the metric means, and where its values come from. */
export function helpOf({ name, source }: ChartOf): string | undefined {
  const expression = expressionOf(source);
  const origin = expression === null ? source && `Source: ${source}.` : `Computed as ${expression}.`;
  const parts = [metricHelp(name), origin].filter(Boolean);
  return parts.length > 0 ? parts.join(" ") : undefined;
}

/** Short enough for an address: whole steps and episodes, seconds to the hundredth, small metrics to six digits. */
function rounded(value: number): number {
  if (Math.abs(value) >= 1e9) return Number(value.toFixed(2));
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(6));
}
