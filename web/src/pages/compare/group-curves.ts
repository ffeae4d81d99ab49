/** The curves of configurations over their seeds, as the lab computes them: by step, with intervals. */
import { useQueries } from "@tanstack/react-query";
import type { AggregateCurves } from "@/api/types";
import type { Series } from "@/charts/series";
import { groupCurvesQuery } from "@/entities/comparisons/queries";
import { levelText } from "@/entities/evaluations/interval";
import { type CurveStatistic, STATISTICS } from "@/entities/studies/statistics";
import type { Compared } from "./groups";

const POINTS = 300;
const ZOOMED_POINTS = 1000;

export interface CurvesWanted {
  /** Those with several seeds. */
  groups: readonly Compared[];
  names: readonly string[];
  statistic: CurveStatistic;
  isZoomed: boolean;
}

/** By metric. */
export function useGroupCurves({ groups, names, statistic, isZoomed }: CurvesWanted) {
  const runs = groups.flatMap((one) => one.runs);
  const points = isZoomed ? ZOOMED_POINTS : POINTS;
  const queries = useQueries({
    queries: names.map((metric) => ({
      ...groupCurvesQuery(runs, { metric, statistic, points }),
      enabled: runs.length > 0,
    })),
  });
  return {
    curves: new Map(names.flatMap((name, i) => (queries[i]?.data ? [[name, queries[i].data] as const] : []))),
    failed: queries.find((query) => query.isError),
  };
}

/** The line of one configuration; null where none of its seeds has the metric. */
export function groupLine(
  curves: AggregateCurves,
  { runs }: Pick<Compared, "runs">,
  as: Pick<Series, "id" | "label" | "colour" | "dash">,
): Series | null {
  const found = curves.groups.find((group) => runs.some((run) => group.run_ids.includes(run.id)));
  if (!found || found.step.length === 0) return null;
  const band = hasInterval(found)
    ? { low: found.low, high: found.high }
    : { low: found.least, high: found.most };
  return { ...as, xs: found.step, ys: found.value, ...band, counts: found.seeds };
}

const hasInterval = ({ low }: AggregateCurves["groups"][number]): boolean => low.some((end) => end !== null);

/** What the lines and bands are, of the curves of one metric. */
export function bandText(curves: AggregateCurves, nameOf: (runIds: readonly string[]) => string): string {
  const what = STATISTICS[curves.statistic].toLowerCase();
  const few = curves.groups.filter((group) => !hasInterval(group)).map((group) => nameOf(group.run_ids));
  const line = `Each line is the ${what} over all seeds of one configuration.`;
  const rest = "A run that ended early keeps its last value. Smoothing applies to line and band alike.";
  const interval =
    curves.level === null
      ? ""
      : ` The band is its confidence interval at each step (${levelText(curves.level)}).`;
  const lowest =
    few.length === 0
      ? ""
      : ` An interval needs 5 seeds: the band of ${few.join(", ")} reaches from the lowest to the highest seed.`;
  return `${line}${interval}${lowest} ${rest}`;
}
