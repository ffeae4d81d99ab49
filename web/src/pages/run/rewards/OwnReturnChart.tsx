/** The return under the user's reward, below the environment's: the policy learns from this one. */
import type { Run } from "@/api/types";
import { ChartCard } from "@/charts/ChartCard";
import { rewardOf } from "@/entities/codes/run-reward";
import { spellCode } from "@/entities/codes/words";
import { metricHelp, seriesOf, xTitle } from "@/entities/metrics/series";
import { useSmoothing } from "@/entities/metrics/smoothing";
import { useMetrics } from "@/entities/metrics/use-metrics";
import { wholeSeries } from "@/entities/metrics/whole-series";
import { useRunColour } from "@/lib/colour";
import type { TabProps } from "@/pages/run/tab";
import { rangeOf } from "@/panels/chart-grid/ChartGrid";

const NAME = "own_return";

export function OwnReturnChart({ run, search, onSearch }: TabProps) {
  const runColour = useRunColour();
  const x = search.x ?? "step";
  const [smoothing, setSmoothing] = useSmoothing(search, onSearch);
  const { whole, shown } = useMetrics(run.id, x, rangeOf(search));
  const metrics = shown ?? whole.data;
  if (!metrics?.series[NAME]) return null;
  const line = { id: run.id, label: run.name, colour: runColour(run.id) };
  return (
    <ChartCard
      title={`Return under ${nameOf(run)}`}
      help={metricHelp(NAME)}
      series={[seriesOf(metrics, NAME, x, line)]}
      totalPoints={metrics.series[NAME].total}
      xTitle={xTitle(x)}
      yTitle="Return"
      fileName={run.name}
      onWhole={async () => [await wholeSeries(run.id, NAME, x, line)]}
      xKind={x === "time" ? "time" : "number"}
      smoothing={smoothing}
      logY={search.log}
      band={search.band}
      height={180}
      range={rangeOf(search)}
      onZoom={(r) =>
        onSearch({ from: r ? Math.max(0, Math.floor(r[0])) : undefined, to: r ? Math.ceil(r[1]) : undefined })
      }
      onSmoothing={setSmoothing}
      onLogY={(log) => onSearch({ log: log || undefined })}
      onBand={(band) => onSearch({ band: band || undefined })}
    />
  );
}

function nameOf(run: Run): string {
  const reward = rewardOf(run);
  return reward ? spellCode(reward) : "your reward";
}
