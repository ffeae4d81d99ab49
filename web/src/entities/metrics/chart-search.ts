/** How charts are drawn, as a link carries it; shared by a run's page and the comparison. */
import * as v from "valibot";
import { flag, number, numberWithin, oneOf, type SearchOf, searchParams, text } from "@/lib/search";

export const X_AXES = ["step", "episode", "time", "relative"] as const;
/** "metric:<name>" draws one metric over another. */
export type XAxis = (typeof X_AXES)[number] | `metric:${string}`;

const metricAxis = v.custom<`metric:${string}`>(
  (value) => typeof value === "string" && /^metric:[\w./-]+$/.test(value),
);

export const CHART_SEARCH = {
  smooth: numberWithin(0, 0.999),
  x: v.union([oneOf(X_AXES), metricAxis]),
  log: flag,
  /** The spread around the line: lowest and highest of the points nearby. */
  band: flag,
  /** Runs that started with weights of others are drawn after them. */
  parents: flag,
  /** Only metrics whose name contains this. */
  find: text,
  /** The shown range of x, in steps, episodes or seconds. */
  from: number,
  to: number,
};

const chartSearch = searchParams(CHART_SEARCH);
export type ChartSearch = SearchOf<typeof chartSearch>;
