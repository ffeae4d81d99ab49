/** Lowest and highest value around each point: the spread that a smoothed line hides. */

const WINDOWS = 50;

export function spreadOf(ys: ArrayLike<number | null>): { low: (number | null)[]; high: (number | null)[] } {
  const reach = Math.max(1, Math.round(ys.length / WINDOWS / 2));
  return { low: extreme(ys, reach, (a, b) => a <= b), high: extreme(ys, reach, (a, b) => a >= b) };
}

/** A queue of candidates, best first: each point enters and leaves once, so a million cost a million steps. */
function extreme(
  ys: ArrayLike<number | null>,
  reach: number,
  wins: (a: number, b: number) => boolean,
): (number | null)[] {
  const found: (number | null)[] = new Array(ys.length);
  const queue: number[] = [];
  let [head, next] = [0, 0];
  for (let i = 0; i < ys.length; i++) {
    for (; next < ys.length && next <= i + reach; next++) {
      const y = ys[next];
      if (y === null || y === undefined || !Number.isFinite(y)) continue;
      while (queue.length > head && wins(y, ys[queue.at(-1)!]!)) queue.pop();
      queue.push(next);
    }
    while (head < queue.length && queue[head]! < i - reach) head++;
    const own = ys[i];
    const isGap = own === null || own === undefined || !Number.isFinite(own);
    found[i] = isGap || head >= queue.length ? null : ys[queue[head]!]!;
  }
  return found;
}
