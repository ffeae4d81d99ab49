/** A line of a chart and how many of them become the table uPlot draws. */
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
  /** Points without a line between them: one metric over another has no order in time. */
  isScatter?: boolean;
  /** Tells apart what shares a colour. */
  dash?: number[];
}

/** Columns of one series in the table, in this order. */
export const COLUMNS = ["raw", "line", "low", "high"] as const;

/** One x column, then for each series: the ghost of the raw line, the line, the band's edges. */
export function tableOf(series: readonly Series[], smoothing: number): uPlot.AlignedData {
  if (series.length === 0) return [[]];
  const isAlone = series.length === 1;
  return uPlot.join(series.map((s) => columnsOf(isAlone ? s : { ...s, xs: apart(s.xs) }, smoothing)));
}

/** Joining lines keeps one value for each x, so episodes that ended at the same step are moved apart by a hair. */
function apart(xs: ArrayLike<number>): number[] {
  const moved = Array.from(xs);
  for (let i = 1; i < moved.length; i++) if (moved[i]! <= moved[i - 1]!) moved[i] = moved[i - 1]! + 1e-3;
  return moved;
}

/** Where a value was measured and is no number: NaN, or an infinity. */
export function gapsOf(series: Series): number[] {
  const found: number[] = [];
  for (let i = 0; i < series.ys.length; i++) {
    const y = series.ys[i];
    if (y === null || y === undefined || !Number.isFinite(y)) found.push(series.xs[i]!);
  }
  return found;
}

function columnsOf(series: Series, smoothing: number): uPlot.AlignedData {
  const raw = gaps(series.ys);
  const empty = new Array(raw.length).fill(undefined);
  return [
    Array.from(series.xs),
    smoothing > 0 ? raw : empty,
    smoothing > 0 ? smooth(series.ys, smoothing) : raw,
    series.low ? gaps(series.low) : empty,
    series.high ? gaps(series.high) : empty,
  ] as uPlot.AlignedData;
}

function gaps(ys: ArrayLike<number | null>): (number | null)[] {
  return Array.from(ys, (y) => (y === null || !Number.isFinite(y) ? null : y));
}

/** One sentence that says what the picture shows, for those who do not see it. */
export function describe(
  title: string,
  series: readonly Series[],
  format: (value: number) => string,
): string {
  if (series.every((s) => s.ys.length === 0)) return `${title}: no data yet.`;
  const parts = series.slice(0, 6).map((s) => {
    const values = Array.from(s.ys).filter((y): y is number => y !== null && Number.isFinite(y));
    if (values.length === 0) return `${s.label}: no values`;
    const [low, high] = values.reduce(([a, b], y) => [Math.min(a, y), Math.max(b, y)], [Infinity, -Infinity]);
    return `${s.label}: ${values.length} points between ${format(low)} and ${format(high)}, last ${format(values.at(-1)!)}`;
  });
  const rest = series.length > 6 ? `; and ${series.length - 6} more` : "";
  return `${title}. ${parts.join("; ")}${rest}.`;
}
