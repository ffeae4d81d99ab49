/** Where the episodes of a scatter chart are, and the mark of each outcome. Pure. */
import type { Outcome, Scored } from "@/entities/bench/ranking";

export type Extent = readonly [low: number, high: number];
export type Place = (one: Pick<Scored, "env" | "own">) => readonly [x: number, y: number];

export const HEIGHT = 260;
export const [LEFT, RIGHT, TOP, BOTTOM] = [52, 12, 10, 38];
/** No mark is cut off at the edge. */
const INSET = 6;

export const xOf =
  (xs: Extent, width: number) =>
  (value: number): number =>
    LEFT + INSET + ((value - xs[0]) / (xs[1] - xs[0])) * (width - LEFT - RIGHT - 2 * INSET);

export const yOf =
  (ys: Extent) =>
  (value: number): number =>
    TOP + INSET + ((ys[1] - value) / (ys[1] - ys[0])) * (HEIGHT - TOP - BOTTOM - 2 * INSET);

export const COLOURS: Record<Outcome, string> = {
  success: "var(--good)",
  terminated: "var(--warn)",
  truncated: "var(--live)",
  unfinished: "var(--ink-3)",
};

/** Around 0, 0: outcomes differ by shape too, for those who do not see the colours. */
export const SHAPES: Record<Outcome, string> = {
  success: "M-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0Z",
  terminated: "M-2.8 -2.8H2.8V2.8H-2.8Z",
  truncated: "M0 -3.8L3.6 2.8H-3.6Z",
  unfinished: "M0 -4L4 0L0 4L-4 0Z",
};

/** The episode next to a point of the chart; null where none is near. */
export function nearestTo(
  scored: readonly Scored[],
  place: Place,
  [px, py]: readonly [number, number],
  within: number,
): Scored | null {
  let [best, away]: [Scored | null, number] = [null, within];
  for (const one of scored) {
    const [x, y] = place(one);
    const distance = Math.hypot(x - px, y - py);
    if (distance < away) [best, away] = [one, distance];
  }
  return best;
}

const PAGE = 10;

/** The place that a key leads to, of `count` episodes in a row; null for other keys. */
export function placeAfter(key: string, at: number, count: number): number | null {
  const steps: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    PageUp: at + PAGE,
    PageDown: at - PAGE,
    Home: 0,
    End: count - 1,
  };
  return key in steps ? Math.max(0, Math.min(count - 1, steps[key]!)) : null;
}
