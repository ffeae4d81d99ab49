/** The lines of a chart, and how they become the table that uPlot draws. */
import uPlot from "uplot";
import { smooth } from "./smoothing";

export interface Series {
  id: string;
  label: string;
  colour: string;
  /** Ascending. Seconds since 1970 when the x axis is time. */
  xs: ArrayLike<number>;
  /** null or NaN: a gap, drawn as one. */
  ys: ArrayLike<number | null>;
  /** A band around the line: spread over seeds, min and max of what was folded. */
  low?: ArrayLike<number | null>;
  high?: ArrayLike<number | null>;
  /** How many seeds are behind each point. */
  counts?: ArrayLike<number>;
  /** Points without a line between them: one metric over another has no order in time. */
  isScatter?: boolean;
  /** Few points that were measured one by one: drawn with dots, and never smoothed. */
  isSparse?: boolean;
  /** Distinguishes lines of the same colour. */
  dash?: number[];
}

/** Columns of one series in the table, in this order. */
export const COLUMNS = ["raw", "line", "low", "high"] as const;

/** One x column, then for each series: the ghost of the raw line, the line, the band's edges. */
export function tableOf(series: readonly Series[], smoothing: number): uPlot.AlignedData {
  if (series.length === 0) return [[]];
  const isAlone = series.length === 1;
  const parts = series.map((s) => columnsOf(isAlone ? s : { ...s, xs: apart(s.xs) }, smoothing));
  const [xs, ...joined] = uPlot.join(parts.map((part) => [part.xs, ...part.columns.filter(isDrawn)]));
  // Missing columns share one empty array: joining it would cost as much as a real one.
  const empty = new Array<undefined>(xs.length).fill(undefined);
  let next = 0;
  const columns = parts.flatMap((part) =>
    part.columns.map((column) => (isDrawn(column) ? joined[next++]! : empty)),
  );
  return [xs, ...columns] as uPlot.AlignedData;
}

type Ys = (number | null)[];
const isDrawn = (column: Ys | null): column is Ys => column !== null;

function columnsOf(series: Series, asked: number): { xs: number[]; columns: (Ys | null)[] } {
  const raw = gaps(series.ys);
  const smoothing = series.isSparse ? 0 : asked;
  const isSmooth = smoothing > 0;
  return {
    xs: Array.from(series.xs),
    columns: [
      isSmooth ? raw : null,
      isSmooth ? smooth(series.ys, smoothing) : raw,
      series.low ? edge(series, series.low, smoothing) : null,
      series.high ? edge(series, series.high, smoothing) : null,
    ],
  };
}

/** The interval of a statistic is smoothed like its line, which would leave it otherwise. */
const edge = ({ counts }: Series, ends: ArrayLike<number | null>, smoothing: number): Ys =>
  counts && smoothing > 0 ? smooth(ends, smoothing) : gaps(ends);

/** Joining lines keeps one value for each x, so episodes that ended at the same step are moved apart slightly. */
function apart(xs: ArrayLike<number>): number[] {
  const moved = Array.from(xs);
  for (let i = 1; i < moved.length; i++) if (moved[i]! <= moved[i - 1]!) moved[i] = moved[i - 1]! + 1e-3;
  return moved;
}

/** Where a measured value is not finite: NaN or infinity. */
export function gapsOf(series: Series): number[] {
  const found: number[] = [];
  for (let i = 0; i < series.ys.length; i++) {
    const y = series.ys[i];
    if (y === null || y === undefined || !Number.isFinite(y)) found.push(series.xs[i]!);
  }
  return found;
}

function gaps(ys: ArrayLike<number | null>): (number | null)[] {
  return Array.from(ys, (y) => (y === null || !Number.isFinite(y) ? null : y));
}

/** One sentence that describes the chart, for screen readers. */
export function describe(
  title: string,
  series: readonly Series[],
  format: (value: number) => string,
): string {
  if (series.every((s) => s.ys.length === 0)) return `${title}: no data yet.`;
  const parts = series.slice(0, 6).map((s) => {
    const { count, low, high, last } = extentOf(s.ys);
    if (count === 0) return `${s.label}: no values`;
    return `${s.label}: ${count} points between ${format(low)} and ${format(high)}, last ${format(last)}`;
  });
  const rest = series.length > 6 ? `; and ${series.length - 6} more` : "";
  return `${title}. ${parts.join("; ")}${rest}.`;
}

interface Extent {
  count: number;
  low: number;
  high: number;
  last: number;
}

/** Cached by the values, so that the sentence does not read every point on each redraw. */
const extents = new WeakMap<ArrayLike<number | null>, Extent>();

function extentOf(ys: ArrayLike<number | null>): Extent {
  const known = extents.get(ys);
  if (known) return known;
  const found: Extent = { count: 0, low: Infinity, high: -Infinity, last: Number.NaN };
  for (let i = 0; i < ys.length; i++) {
    const y = ys[i];
    if (y === null || y === undefined || !Number.isFinite(y)) continue;
    found.count++;
    found.low = Math.min(found.low, y);
    found.high = Math.max(found.high, y);
    found.last = y;
  }
  extents.set(ys, found);
  return found;
}
