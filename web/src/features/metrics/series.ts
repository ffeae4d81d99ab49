/** From the API's series to the lines of a chart. Pure. */
import type { Metrics } from "@/api/types";
import type { XAxis } from "@/app/search";
import type { Series } from "@/charts/series";

/** Titles people know; a metric without one shows its own name. */
const TITLES: Record<string, string> = {
  reward: "Episode reward",
  mean_reward: "Mean reward",
  length: "Episode length",
  fps: "Steps per second",
  kl: "KL divergence",
};
/** What is looked at first stands first. */
const FIRST = ["mean_reward", "reward", "length", "loss"];

export const X_TITLES: Record<string, string> = {
  step: "step",
  episode: "episode",
  time: "time",
  relative: "seconds",
};

export function metricTitle(name: string): string {
  return TITLES[name] ?? (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll("_", " ");
}

export function metricNames(metrics: Metrics): string[] {
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return Object.keys(metrics.series).sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

export function seriesOf(
  metrics: Metrics,
  name: string,
  x: XAxis,
  line: Pick<Series, "id" | "label" | "colour">,
): Series {
  const points = metrics.series[name];
  if (!points) return { ...line, xs: [], ys: [] };
  return {
    ...line,
    xs: x === "step" ? points.step : x === "time" ? points.time : points.index,
    ys: points.value,
  };
}
