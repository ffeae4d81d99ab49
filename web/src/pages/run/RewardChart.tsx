/** The reward curve, with the evaluations alongside and the checkpoints; a click on a point opens its episode. */
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { Run } from "@/api/types";
import { ChartCard } from "@/charts/ChartCard";
import type { Range } from "@/charts/plot";
import type { Series } from "@/charts/series";
import { startOfRun } from "@/entities/continuing/ancestors";
import { moved } from "@/entities/continuing/joined-curves";
import { isOffline, ownSwitch, stepsTitle } from "@/entities/continuing/phases";
import { useJoined } from "@/entities/continuing/use-joined";
import { episodeOf } from "@/entities/metrics/axis";
import {
  evaluationSeries,
  metricHelp,
  seriesOf,
  thresholdOf,
  xTitle,
  yTitle,
} from "@/entities/metrics/series";
import { useSmoothing } from "@/entities/metrics/smoothing";
import { useMetrics } from "@/entities/metrics/use-metrics";
import { wholeSeries } from "@/entities/metrics/whole-series";
import { runQuery } from "@/entities/runs/queries";
import { useThreshold } from "@/entities/solved/use-solved";
import { patiently } from "@/lib/chunks";
import { useRunColour } from "@/lib/colour";
import { formatPlural } from "@/lib/format";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { rangeOf } from "@/panels/chart-grid/ChartGrid";
import { SwitchRow } from "@/ui/SwitchRow";
import type { TabProps } from "./tab";

const CheckpointTimeline = lazy(() =>
  patiently(() => import("@/panels/checkpoint-timeline/CheckpointTimeline")),
);

export function RewardChart({ run, search, onSearch }: TabProps) {
  const runColour = useRunColour();
  const x = search.x ?? "step";
  const [smoothing, setSmoothing] = useSmoothing(search, onSearch);
  const threshold = useThreshold(run);
  const isDark = useStore(theme) === "dark";
  const line = { id: run.id, label: run.name, colour: runColour(run.id) };
  const start = startOfRun(run);
  const hasParent = start !== null;
  const parent = useQuery({ ...runQuery(start?.run_id ?? ""), enabled: hasParent }).data;
  // What was learned from a dataset and in the environment is one story.
  const isUsual = parent !== undefined && isOffline(parent) && !isOffline(run);
  const isJoined = hasParent && x === "step" && (search.parents ?? isUsual);
  const joined = useJoined([run], isJoined);
  const offset = joined.offset(run.id);
  // The range of a joined axis is not one of this run's steps.
  const { whole, shown } = useMetrics(run.id, x, isJoined ? null : rangeOf(search));
  const metrics = shown ?? whole.data ?? { series: {} };
  const own = seriesOf(metrics, "reward", x, line);
  const evaluated = evaluationSeries(metrics, x, { ...line, ...evaluationLine(run, isDark) });
  const drawn = [
    ...joined.join("reward", [own]),
    ...(evaluated ? [offset ? moved(evaluated, offset) : evaluated] : []),
  ].filter(({ xs }) => xs.length > 0);
  const series = drawn.length > 0 ? drawn : [own];
  const marks = x === "step" ? [...joined.marks, ...ownSwitch(run, offset)] : [];
  const steps = rangeOf(search) ?? extentOf(series);
  const chart = (
    <ChartCard
      title="Episode reward"
      help={metricHelp("reward")}
      series={series}
      marks={marks}
      totalPoints={metrics.series.reward?.total}
      xTitle={x === "step" ? stepsTitle(run, joined.marks) : xTitle(x)}
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
        const episode = episodeOf(metrics, "reward", x, at - offset);
        if (episode !== null) onSearch({ tab: "episodes", episode, frame: undefined }, true);
      }}
      below={
        x === "step" &&
        steps !== null && (
          <Suspense fallback={<div className="h-14" />}>
            <CheckpointTimeline
              run={run}
              range={[steps[0] - offset, steps[1] - offset]}
              isWhole={rangeOf(search) === null}
              onTested={({ id }) => onSearch({ tab: "evaluations", evaluation: id }, true)}
            />
          </Suspense>
        )
      }
      onSmoothing={setSmoothing}
      onLogY={(log) => onSearch({ log: log || undefined })}
      onBand={(band) => onSearch({ band: band || undefined })}
    />
  );
  if (!hasParent) return chart;
  return (
    <div className="flex flex-col gap-2">
      <SwitchRow
        title={`After its parent’s curve${joined.isIncomplete ? " (an older run was deleted)" : ""}`}
        checked={search.parents ?? isUsual}
        onChange={(on) =>
          onSearch({
            parents: on === isUsual ? undefined : on,
            x: undefined,
            from: undefined,
            to: undefined,
          })
        }
      />
      {chart}
    </div>
  );
}

/** Grey, light or dark with the theme: no run has it. */
const evaluationColour = (isDark: boolean): string => (isDark ? "hsl(0 0% 88%)" : "hsl(0 0% 18%)");

function evaluationLine({ id, config }: Run, isDark: boolean): Pick<Series, "id" | "label" | "colour"> {
  // A script that learns from a dataset plays as many as it likes.
  const isOwn = config.kind !== "train" || config.evaluate_every !== null;
  const episodes = (config.kind === "train" && config.evaluate_episodes) || 5;
  return {
    id: `${id}-evaluation`,
    label: isOwn ? `Evaluation (${formatPlural(episodes, "fixed seed")})` : "Evaluation",
    colour: evaluationColour(isDark),
  };
}

/** The steps that the chart shows when nothing is zoomed. */
function extentOf(series: readonly Series[]): Range | null {
  const ends = series.filter(({ xs }) => xs.length > 0).flatMap(({ xs }) => [xs[0]!, xs[xs.length - 1]!]);
  return ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : null;
}
