/** All charts of one or more runs, drawn alike: one smoothing, one x axis, one crosshair. */
import type { ChartSearch } from "@/app/search";
import { ChartCard } from "@/charts/ChartCard";
import type { Range } from "@/charts/plot";
import type { Series } from "@/charts/series";
import { metricTitle, X_TITLES } from "./series";

export interface ChartOf {
  name: string;
  series: Series[];
  totalPoints: number;
}

export interface ChartGridProps {
  charts: ChartOf[];
  search: ChartSearch;
  onSearch: (change: ChartSearch) => void;
  /** A click at this step, episode or time. */
  onPick?: (x: number) => void;
}

export function ChartGrid({ charts, search, onSearch, onPick }: ChartGridProps) {
  const x = search.x ?? "step";
  const range: Range | null =
    search.from !== undefined && search.to !== undefined ? [search.from, search.to] : null;
  return (
    <div className="grid gap-4 lg:grid-cols-2 2xl:grid-cols-3">
      {charts.map((chart) => (
        <ChartCard
          key={chart.name}
          title={metricTitle(chart.name)}
          series={chart.series}
          totalPoints={chart.totalPoints}
          xTitle={X_TITLES[x] ?? x}
          xKind={x === "time" ? "time" : "number"}
          smoothing={search.smooth ?? 0}
          logY={search.log ?? false}
          syncKey="run-charts"
          range={range}
          onZoom={(r) =>
            onSearch({ from: r ? Math.floor(r[0]) : undefined, to: r ? Math.ceil(r[1]) : undefined })
          }
          onPick={onPick}
          onSmoothing={(smooth) => onSearch({ smooth: smooth || undefined })}
          onLogY={(log) => onSearch({ log: log || undefined })}
        />
      ))}
    </div>
  );
}
