/** Draws runs after those they started from: gives charts the series of the whole chain, and where they join. */
import { useQueries } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import type { Mark } from "@/charts/plot";
import type { Series } from "@/charts/series";
import { returnsOf } from "@/entities/metrics/series";
import { useManyMetrics } from "@/entities/metrics/use-metrics";
import { type Ancestor, ancestorsQuery, startOfRun } from "./ancestors";
import { joinedSeries, offsetOf } from "./joined-curves";
import { marksOf } from "./phases";

const DASH = [6, 4];

export interface Joined {
  /** The series of a metric, with those of the ancestors before them. */
  join: (name: string, series: readonly Series[]) => Series[];
  /** Where curves meet, on the joined axis. */
  marks: Mark[];
  /** How far the curve of a run is moved to the right. */
  offset: (runId: string) => number;
  /** Runs whose ancestors were deleted. */
  isIncomplete: boolean;
}

export function useJoined(runs: readonly Run[], isOn: boolean): Joined {
  const started = isOn ? runs.filter((run) => startOfRun(run) !== null) : [];
  const chains = useQueries({ queries: started.map((run) => ancestorsQuery(run)) });
  const byRun = new Map(started.map((run, i) => [run.id, chains[i]?.data ?? []] as const));
  const ids = [...new Set([...byRun.values()].flat().map(({ run }) => run.id))];
  const { wholes } = useManyMetrics(ids, "step", null);
  const partOf = (name: string, { run, upTo }: Ancestor, as: Series) => {
    const metrics = wholes[ids.indexOf(run.id)]?.data;
    const line = { id: `${as.id}<${run.id}`, label: `${run.name} (before)`, colour: as.colour };
    const series = metrics ? returnsOf(metrics, name, "step", line) : { ...line, xs: [], ys: [] };
    return { series: { ...series, dash: DASH }, upTo };
  };
  return {
    join: (name, series) =>
      series.flatMap((one) => {
        const chain = byRun.get(one.id) ?? [];
        if (chain.length === 0) return [one];
        return joinedSeries(
          chain.map((ancestor) => partOf(name, ancestor, one)),
          one,
        );
      }),
    marks: distinct(started.flatMap((run) => marksOf(byRun.get(run.id) ?? [], run))),
    offset: (runId) => offsetOf(byRun.get(runId) ?? []),
    isIncomplete: started.some((_, i) => isCut(chains[i]?.data)),
  };
}

const distinct = (marks: readonly Mark[]): Mark[] => [
  ...new Map(marks.map((mark) => [`${mark.at} ${mark.label}`, mark])).values(),
];

/** The oldest run that was found started from another one, which is gone; or none was found. */
const isCut = (chain: readonly Ancestor[] | undefined): boolean =>
  chain !== undefined && (chain[0] === undefined || startOfRun(chain[0].run) !== null);
