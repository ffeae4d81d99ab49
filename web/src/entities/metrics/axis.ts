/** The x of a point on each axis, and from a range of x back to the steps to request. Pure. */
import type { Metrics } from "@/api/types";
import type { Range } from "@/charts/plot";
import type { XAxis } from "./chart-search";

type Points = Metrics["series"][string];

/** Metrics with one point per episode: the index of a point is the episode's number. */
const BY_EPISODE = new Set(["reward", "length", "mean_reward"]);

export const metricOfAxis = (x: XAxis): string | null => (x.startsWith("metric:") ? x.slice(7) : null);

export function xsOf(metrics: Metrics, name: string, x: XAxis): ArrayLike<number> {
  const points = metrics.series[name]!;
  if (x === "time") return points.time;
  if (x === "relative") {
    const start = startOf(metrics);
    return points.time.map((at) => at - start);
  }
  if (x === "episode") return BY_EPISODE.has(name) ? points.index : points.step.map(episodeAt(metrics));
  const other = metricOfAxis(x);
  return other === null ? points.step : points.step.map((step) => valueAt(metrics.series[other], step));
}

/** Seconds since 1970 of the run's first point. */
export function startOf(metrics: Metrics): number {
  const firsts = Object.values(metrics.series).flatMap((points) => points.time[0] ?? []);
  return firsts.length === 0 ? 0 : Math.min(...firsts);
}

/** The episode that was the newest finished one at a step. */
export function episodeAt(metrics: Metrics): (step: number) => number {
  const points = metrics.series.reward ?? metrics.series.length;
  return (step) => (points ? (points.index[nearest(points.step, step)] ?? 0) : 0);
}

/** The episode under a click at `x` of a chart; null when no episode has been recorded. */
export function episodeOf(metrics: Metrics, name: string, x: XAxis, at: number): number | null {
  const points = metrics.series[name];
  if (!points || !metrics.series.reward || metricOfAxis(x) !== null) return null;
  if (x === "episode") return Math.round(at);
  const found = nearest(xsOf(metrics, name, x), at);
  return BY_EPISODE.has(name) ? (points.index[found] ?? null) : episodeAt(metrics)(points.step[found] ?? 0);
}

/** Steps that cover a range of x; a little more on both sides, so that lines reach the edges. */
export function stepsOf(metrics: Metrics, x: XAxis, range: Range): { from: number; to: number } | null {
  if (x === "step") return spread(range[0], range[1]);
  if (metricOfAxis(x) !== null) return null;
  const points = metrics.series.reward ?? longest(metrics);
  if (!points) return null;
  const name = Object.keys(metrics.series).find((key) => metrics.series[key] === points)!;
  const xs = xsOf(metrics, name, x);
  const [first, last] = [nearest(xs, range[0]), nearest(xs, range[1])];
  return spread(points.step[Math.max(0, first - 1)] ?? 0, points.step[last + 1] ?? points.step.at(-1) ?? 0);
}

function spread(from: number, to: number): { from: number; to: number } {
  const margin = (to - from) * 0.02;
  return { from: Math.max(0, Math.floor(from - margin)), to: Math.max(0, Math.ceil(to + margin)) };
}

function longest(metrics: Metrics): Points | undefined {
  return Object.values(metrics.series).reduce<Points | undefined>(
    (best, points) => (points.step.length > (best?.step.length ?? 0) ? points : best),
    undefined,
  );
}

function valueAt(points: Points | undefined, step: number): number {
  return points?.value[nearest(points.step, step)] ?? Number.NaN;
}

/** Index of the ascending value nearest to `wanted`. */
export function nearest(ascending: ArrayLike<number>, wanted: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low > 0 && wanted - ascending[low - 1]! < ascending[low]! - wanted ? low - 1 : low;
}
