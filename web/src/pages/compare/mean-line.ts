/** Merges the lines of several seeds into their mean with a band. The mean is over the same seeds everywhere. Pure. */
import type { Series } from "@/charts/series";

export interface SeedLine {
  line: Series;
  /** An ended run keeps its last value; one in progress ends the mean where its own line ends. */
  hasEnded: boolean;
}

const GRID = 240;

/** The mean of all lines that have points, with the lowest and highest of them as its band. */
export function meanOf(seeds: readonly SeedLine[], as: Pick<Series, "id" | "label" | "colour">): Series {
  const known = seeds.filter(({ line }) => line.xs.length > 0);
  if (known.length === 0) return { ...as, xs: [], ys: [] };
  const from = Math.min(...known.map(({ line }) => line.xs[0]!));
  const to = endOf(known);
  const columns = known.map((seed) => columnOf(seed, from, to));
  const xs: number[] = [];
  const [ys, low, high]: number[][] = [[], [], []];
  for (let b = 0; b < GRID; b++) {
    const values = columns.flatMap((column) => column[b] ?? []);
    if (values.length < known.length) continue;
    xs.push(from + ((b + 0.5) / GRID) * (to - from));
    ys!.push(values.reduce((sum, value) => sum + value, 0) / values.length);
    low!.push(Math.min(...values));
    high!.push(Math.max(...values));
  }
  return { ...as, xs, ys: ys!, low: low!, high: high! };
}

/** Of a group's label: how many of its seeds the mean is over, where that is not all of them. */
export const missingText = (seeds: readonly SeedLine[], of: number): string => {
  const known = seeds.filter(({ line }) => line.xs.length > 0).length;
  return known < of ? ` (mean of ${known}: ${of - known} without values)` : "";
};

/** The line of an ended run in a zoomed range that begins after its end: its last value. */
export function lastValueAt(whole: Series, x: number): Series {
  for (let i = whole.xs.length - 1; i >= 0; i--)
    if (whole.xs[i]! <= x && isNumber(whole.ys[i])) return { ...whole, xs: [x], ys: [whole.ys[i]!] };
  return { ...whole, xs: [], ys: [] };
}

/** One metric over another has no last value that could be kept. */
const canKeep = ({ line, hasEnded }: SeedLine) => hasEnded && !line.isScatter;

function endOf(seeds: readonly SeedLine[]): number {
  const lastOf = ({ line }: SeedLine) => line.xs[line.xs.length - 1]!;
  const bounds = seeds.filter((seed) => !canKeep(seed)).map(lastOf);
  return bounds.length > 0 ? Math.min(...bounds) : Math.max(...seeds.map(lastOf));
}

/** A seed's value in each bucket; null before its first point, and after its last one unless it keeps that. */
function columnOf(seed: SeedLine, from: number, to: number): (number | null)[] {
  const column = interpolated(bucketed(seed.line, from, to));
  const last = column.findLastIndex((value) => value !== null);
  return canKeep(seed) && last >= 0 ? column.map((value, b) => (b > last ? column[last]! : value)) : column;
}

/** The mean of a line's points in each bucket. */
function bucketed(line: Series, from: number, to: number): (number | null)[] {
  const sums = new Float64Array(GRID);
  const counts = new Uint32Array(GRID);
  const add = (x: number, y: number) => {
    const b = Math.min(GRID - 1, Math.floor(((x - from) / (to - from || 1)) * GRID));
    sums[b]! += y;
    counts[b]! += 1;
  };
  let before: [number, number] | null = null;
  for (let i = 0; i < line.xs.length; i++) {
    const [x, y] = [line.xs[i]!, line.ys[i]];
    if (!isNumber(y)) continue;
    if (x > to) {
      // Sparse lines reach the end of the range between two of their points.
      if (before) add(to, before[1] + ((y - before[1]) * (to - before[0])) / (x - before[0]));
      break;
    }
    add(x, y);
    before = [x, y];
  }
  return Array.from(sums, (sum, b) => (counts[b]! > 0 ? sum / counts[b]! : null));
}

/** Gaps between two points are filled by a straight line. */
function interpolated(means: (number | null)[]): (number | null)[] {
  const filled = [...means];
  let before = means.findIndex((mean) => mean !== null);
  for (let b = before + 1; before >= 0 && b < means.length; b++) {
    if (means[b] === null) continue;
    for (let gap = before + 1; gap < b; gap++)
      filled[gap] = means[before]! + ((means[b]! - means[before]!) * (gap - before)) / (b - before);
    before = b;
  }
  return filled;
}

const isNumber = (y: number | null | undefined): y is number =>
  y !== null && y !== undefined && Number.isFinite(y);
