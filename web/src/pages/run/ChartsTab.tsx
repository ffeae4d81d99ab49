/** Every metric of a run, live. A click on a point opens the episode behind it. */

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ownSwitch, stepsTitle } from "@/entities/continuing/phases";
import { quotedName } from "@/entities/derived-metrics/words";
import { episodeOf, metricOfAxis } from "@/entities/metrics/axis";
import { metricNames, seriesOf } from "@/entities/metrics/series";
import { useMetrics } from "@/entities/metrics/use-metrics";
import { wholeSeries } from "@/entities/metrics/whole-series";
import { isLive } from "@/entities/runs/status";
import { useThreshold } from "@/entities/solved/use-solved";
import { useRunColour } from "@/lib/colour";
import { AlertDialog } from "@/panels/alert-form/AlertDialog";
import { type AlertDraft, NEW_ALERT } from "@/panels/alert-form/alert-draft";
import { ChartGrid, rangeOf } from "@/panels/chart-grid/ChartGrid";
import { ChartToolbar } from "@/panels/chart-grid/ChartToolbar";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import type { TabProps } from "./tab";

export default function ChartsTab({ run, search, onSearch }: TabProps) {
  const runColour = useRunColour();
  const threshold = useThreshold(run);
  const [alert, setAlert] = useState<AlertDraft | null>(null);
  const x = search.x ?? "step";
  const { whole, shown } = useMetrics(run.id, x, rangeOf(search));
  if (whole.isPending) return <Loading lines={6} />;
  if (whole.isError) return <ErrorState error={whole.error} onRetry={() => void whole.refetch()} />;
  const metrics = shown ?? whole.data;
  const line = { id: run.id, label: run.name, colour: runColour(run.id) };
  const names = metricNames(whole.data).filter((name) => name !== metricOfAxis(x));
  if (names.length === 0)
    return (
      <EmptyState title="No metrics yet">
        {isLive(run)
          ? "They appear with the first finished episode."
          : "This run ended before its first episode."}
      </EmptyState>
    );
  const open = (name: string, at: number) => {
    const episode = episodeOf(metrics, name, x, at);
    if (episode !== null) onSearch({ tab: "episodes", episode, frame: undefined }, true);
  };
  return (
    <section aria-label="Charts" className="flex flex-col gap-4">
      <ChartToolbar search={search} onSearch={onSearch} names={names}>
        <Link
          to="/workbench"
          search={{ tab: "metrics", name: "new", run: run.id }}
          className="text-xs whitespace-nowrap underline underline-offset-4"
        >
          New metric from these
        </Link>
      </ChartToolbar>
      <ChartGrid
        charts={names.map((name) => ({
          name,
          series: [seriesOf(metrics, name, x, line)],
          marks: x === "step" ? ownSwitch(run) : [],
          totalPoints: metrics.series[name]?.total ?? 0,
          source: whole.data.series[name]?.source,
        }))}
        fileName={run.name}
        stepsTitle={stepsTitle(run, [])}
        threshold={threshold}
        onWhole={async (name) => [await wholeSeries(run.id, name, x, line)]}
        search={search}
        onSearch={onSearch}
        onAlert={(name) =>
          setAlert({ ...NEW_ALERT, expression: quotedName(name), scope: "run_id", scopeValue: run.id })
        }
        onPick={metricOfAxis(x) === null ? open : undefined}
      />
      <AlertDialog draft={alert} onClose={() => setAlert(null)} />
    </section>
  );
}
