/** The reward curve; a click on a point opens its episode. */
import { ChartCard } from "@/charts/ChartCard";
import { episodeOf } from "@/entities/metrics/axis";
import { metricHelp, seriesOf, thresholdOf, xTitle, yTitle } from "@/entities/metrics/series";
import { useSmoothing } from "@/entities/metrics/smoothing";
import { useMetrics } from "@/entities/metrics/use-metrics";
import { wholeSeries } from "@/entities/metrics/whole-series";
import { useThreshold } from "@/entities/solved/use-solved";
import { useRunColour } from "@/lib/colour";
import { rangeOf } from "@/panels/chart-grid/ChartGrid";
import type { TabProps } from "./tab";

export function RewardChart({ run, search, onSearch }: TabProps) {
  const runColour = useRunColour();
  const x = search.x ?? "step";
  const [smoothing, setSmoothing] = useSmoothing(search, onSearch);
  const threshold = useThreshold(run);
  const line = { id: run.id, label: run.name, colour: runColour(run.id) };
  const { whole, shown } = useMetrics(run.id, x, rangeOf(search));
  const metrics = shown ?? whole.data ?? { series: {} };
  return (
    <ChartCard
      title="Episode reward"
      help={metricHelp("reward")}
      series={[seriesOf(metrics, "reward", x, line)]}
      totalPoints={metrics.series.reward?.total}
      xTitle={xTitle(x)}
      yTitle={yTitle("reward")}
      threshold={thresholdOf("reward", threshold)}
      fileName={run.name}
      onWhole={async () => [await wholeSeries(run.id, "reward", x, line)]}
      xKind={x === "time" ? "time" : "number"}
      smoothing={smoothing}
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
      onSmoothing={setSmoothing}
      onLogY={(log) => onSearch({ log: log || undefined })}
      onBand={(band) => onSearch({ band: band || undefined })}
    />
  );
}
