/** The charts of a run, one below the other, as wide as the column. */
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { LineChart } from "@/charts/LineChart";
import { stepsTitle } from "@/entities/continuing/phases";
import { metricHelp, metricNames, metricTitle, seriesOf } from "@/entities/metrics/series";
import { useKeptSmoothing } from "@/entities/metrics/smoothing";
import { useMetrics } from "@/entities/metrics/use-metrics";
import { useRunColour } from "@/lib/colour";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { EmptyState, Loading } from "@/ui/states";

export default function SmallCharts({ run }: { run: Run }) {
  const runColour = useRunColour();
  const themeNow = useStore(theme);
  const smoothing = useKeptSmoothing();
  const metrics = useMetrics(run.id).whole.data;
  if (!metrics) return <Loading lines={5} />;
  const names = metricNames(metrics);
  if (names.length === 0)
    return <EmptyState title="No metrics yet">They appear with the first finished episode.</EmptyState>;
  const line = { id: run.id, label: run.name, colour: runColour(run.id) };
  return (
    <div className="flex flex-col divide-y">
      {names.map((name) => (
        <section key={name} aria-label={metricTitle(name)} className="px-2 py-3">
          <h3 className="label mb-1 px-2" title={metricHelp(name)}>
            <Link
              to="/runs/$runId"
              params={{ runId: run.id }}
              search={{ tab: "charts", find: name }}
              className="hover:underline"
            >
              {metricTitle(name)}
            </Link>
          </h3>
          <LineChart
            title={metricTitle(name)}
            series={[seriesOf(metrics, name, "step", line)]}
            xTitle={stepsTitle(run, [])}
            smoothing={smoothing}
            syncKey="lab"
            height={130}
            theme={themeNow}
          />
        </section>
      ))}
    </div>
  );
}
