/** The reward curve; a click on a point opens its episode. */
import { ChartCard } from "@/charts/ChartCard";
import { episodeOf } from "@/entities/metrics/axis";
import { metricHelp, seriesOf, xTitle } from "@/entities/metrics/series";
import { useMetrics } from "@/entities/metrics/use-metrics";
import { useRunColour } from "@/lib/colour";
import { rangeOf } from "@/panels/chart-grid/ChartGrid";
import type { TabProps } from "./tab";

/** Smoothed by default to show the trend; the raw line stays visible behind it. */
const FIRST_SMOOTHING = 0.9;

export function RewardChart({ run, search, onSearch }: TabProps) {
  const runColour = useRunColour();
  const x = search.x ?? "step";
  const { whole, shown } = useMetrics(run.id, x, rangeOf(search));
  const metrics = shown ?? whole.data ?? { series: {} };
  return (
    <ChartCard
      title="Episode reward"
      help={metricHelp("reward")}
      series={[seriesOf(metrics, "reward", x, { id: run.id, label: run.name, colour: runColour(run.id) })]}
      totalPoints={metrics.series.reward?.total}
      xTitle={xTitle(x)}
      xKind={x === "time" ? "time" : "number"}
      smoothing={search.smooth ?? FIRST_SMOOTHING}
      logY={search.log}
      band={search.band}
      height={260}
      range={rangeOf(search)}
      onZoom={(r) =>
        onSearch({ from: r ? Math.max(0, Math.floor(r[0])) : undefined, to: r ? Math.ceil(r[1]) : undefined })
      }
      onPick={(at) => {
        const episode = episodeOf(metrics, "reward", x, at);
        if (episode !== null) onSearch({ tab: "episodes", episode, frame: undefined }, true);
      }}
      onSmoothing={(smooth) => onSearch({ smooth })}
      onLogY={(log) => onSearch({ log: log || undefined })}
      onBand={(band) => onSearch({ band: band || undefined })}
    />
  );
}
