/** The curve of a run without pictures, where the pictures would be. */

import type { Run } from "@/api/types";
import { LineChart } from "@/charts/LineChart";
import { stepsTitle } from "@/entities/continuing/phases";
import { metricNames, metricTitle, seriesOf } from "@/entities/metrics/series";
import { useMetrics } from "@/entities/metrics/use-metrics";
import { useRunColour } from "@/lib/colour";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { Loading } from "@/ui/states";
import { mainSeries } from "./main-series";

export default function StageCurve({ run }: { run: Run }) {
  const runColour = useRunColour();
  const metrics = useMetrics(run.id).whole.data;
  const themeNow = useStore(theme);
  if (!metrics) return <Loading lines={4} />;
  const name = mainSeries(metricNames(metrics));
  if (name === null) return <p className="text-sm text-ink-3">It has no numbers yet.</p>;
  const line = { id: run.id, label: run.name, colour: runColour(run.id) };
  return (
    <div>
      <h3 className="label mb-1">{metricTitle(name)}</h3>
      <LineChart
        title={metricTitle(name)}
        series={[seriesOf(metrics, name, "step", line)]}
        xTitle={stepsTitle(run, [])}
        height={240}
        theme={themeNow}
      />
    </div>
  );
}
