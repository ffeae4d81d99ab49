/** Lines of parallel coordinates: where they are, which one is under the pointer, which ones a brush keeps. Pure. */

export interface ParallelLine {
  variant: number;
  label: string;
  /** From 0 (bottom) to 1 on each axis; null where the variant has no value there. */
  shares: readonly (number | null)[];
  value: number | null;
}

/** From and to on an axis, as shares. */
export type Brush = readonly [from: number, to: number];
export type Brushes = Readonly<Record<number, Brush>>;

export function isKept(line: ParallelLine, brushes: Brushes): boolean {
  return Object.entries(brushes).every(([axis, [from, to]]) => {
    const share = line.shares[Number(axis)] ?? null;
    return share !== null && share >= Math.min(from, to) - 1e-9 && share <= Math.max(from, to) + 1e-9;
  });
}

export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

export const axisX = (frame: Frame, axis: number, axes: number): number =>
  axes < 2 ? frame.left + frame.width / 2 : frame.left + (axis / (axes - 1)) * frame.width;

export const shareY = (frame: Frame, share: number): number => frame.top + (1 - share) * frame.height;

export function linePath(line: ParallelLine, frame: Frame): string {
  let isDown = false;
  return line.shares
    .map((share, axis) => {
      if (share === null) {
        isDown = false;
        return "";
      }
      const word = isDown ? "L" : "M";
      isDown = true;
      return `${word}${axisX(frame, axis, line.shares.length).toFixed(1)} ${shareY(frame, share).toFixed(1)}`;
    })
    .join("");
}

const REACH_PX = 14;

/** The line nearest to a point, within reach. */
export function lineAt(
  lines: readonly ParallelLine[],
  frame: Frame,
  x: number,
  y: number,
): ParallelLine | null {
  let [found, nearest]: [ParallelLine | null, number] = [null, REACH_PX];
  for (const line of lines) {
    const at = heightAt(line, frame, x);
    if (at !== null && Math.abs(at - y) < nearest) [found, nearest] = [line, Math.abs(at - y)];
  }
  return found;
}

function heightAt({ shares }: ParallelLine, frame: Frame, x: number): number | null {
  const spaces = Math.max(1, shares.length - 1);
  const at = ((x - frame.left) / frame.width) * spaces;
  const axis = Math.min(spaces - 1, Math.max(0, Math.floor(at)));
  const [from, to] = [shares[axis] ?? null, shares[axis + 1] ?? null];
  if (from === null || to === null) return null;
  return shareY(frame, from + (to - from) * Math.min(1, Math.max(0, at - axis)));
}
