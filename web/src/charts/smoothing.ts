/** Exponential smoothing without the pull towards zero at the start. A NaN is a gap, not a value. */
export function smooth(ys: ArrayLike<number | null>, weight: number): (number | null)[] {
  const smoothed: (number | null)[] = new Array(ys.length);
  let [sum, share] = [0, 0];
  for (let i = 0; i < ys.length; i++) {
    const y = ys[i];
    if (y === null || y === undefined || !Number.isFinite(y)) {
      smoothed[i] = null;
      continue;
    }
    sum = weight * sum + (1 - weight) * y;
    share = weight * share + (1 - weight);
    smoothed[i] = sum / share;
  }
  return smoothed;
}
