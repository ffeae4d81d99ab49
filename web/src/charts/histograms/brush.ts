/** Ranges of a histogram: which bars a range covers, and the range of some bars. Pure. */

export interface Bars {
  /** One more than counts. */
  edges: readonly number[];
  counts: readonly number[];
}

/** Absent: open on that side. */
export interface Range {
  low?: number;
  high?: number;
}

/** Counts by bars from one index to another, whichever is first; a range to the end is open there. */
export function rangeOf({ edges, counts }: Bars, from: number, to: number): Range {
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  return {
    low: first === 0 ? undefined : edges[first],
    high: last === counts.length - 1 ? undefined : edges[last + 1],
  };
}

export const isOpen = ({ low, high }: Range): boolean => low === undefined && high === undefined;

/** A bar is covered when its middle is. */
export function isCovered({ edges }: Bars, index: number, { low, high }: Range): boolean {
  const middle = (edges[index]! + edges[index + 1]!) / 2;
  return middle >= (low ?? Number.NEGATIVE_INFINITY) && middle <= (high ?? Number.POSITIVE_INFINITY);
}

export const coveredCount = (bars: Bars, range: Range): number =>
  bars.counts.reduce((sum, count, i) => sum + (isCovered(bars, i, range) ? count : 0), 0);
