/** Curves of runs that started from each other, one after the other on one axis of steps. Pure. */
import type { Series } from "@/charts/series";

export interface Part {
  series: Series;
  /** The step at which the next part begins; what came later in this run is not part of the story. */
  upTo: number;
}

/** Where the run itself begins on the joined axis. */
export const offsetOf = (parts: readonly Pick<Part, "upTo">[]): number =>
  parts.reduce((sum, { upTo }) => sum + upTo, 0);

/** The x of each join, oldest first. */
export function joinsOf(parts: readonly Pick<Part, "upTo">[]): number[] {
  let sum = 0;
  return parts.map(({ upTo }) => {
    sum += upTo;
    return sum;
  });
}

/** The parts up to their ends, then the run itself; each moved to where the one before ends. */
export function joinedSeries(parts: readonly Part[], last: Series): Series[] {
  const starts = [0, ...joinsOf(parts)];
  const cut = parts.map(({ series, upTo }, i) => moved(series, starts[i]!, upTo));
  return [...cut.filter(({ xs }) => xs.length > 0), moved(last, starts.at(-1)!)];
}

export function moved(series: Series, by: number, upTo = Infinity): Series {
  const xs: number[] = [];
  for (let i = 0; i < series.xs.length && series.xs[i]! <= upTo; i++) xs.push(series.xs[i]! + by);
  const first = <T>(values: ArrayLike<T> | undefined) => values && Array.from(values).slice(0, xs.length);
  return { ...series, xs, ys: first(series.ys)!, low: first(series.low), high: first(series.high) };
}
