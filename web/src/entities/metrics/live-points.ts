/** Appends new points to a run's series, instead of requesting all of it again. Pure. */
import type { Metrics } from "@/api/types";

type Points = Metrics["series"][string];

/** A series that ended earlier than this share of the run is ignored; it would make every request a long one. */
const LAG = 0.1;

/** The step from which to request points: nothing before it can be missing. */
export function askFrom(metrics: Metrics): number {
  const ends = Object.values(metrics.series).flatMap((points) => points.step.at(-1) ?? []);
  const newest = Math.max(0, ...ends);
  return Math.min(newest, ...ends.filter((end) => end >= newest * (1 - LAG)));
}

/** `fresh` may overlap the known points; they are matched by index. A series longer than twice `most` is reduced to `most`. */
export function grown(before: Metrics, fresh: Metrics, most: number): Metrics {
  const series = { ...before.series };
  for (const [name, points] of Object.entries(fresh.series)) {
    const known = series[name];
    series[name] = known ? folded(appended(known, points), most) : points;
  }
  return { series };
}

function appended(known: Points, fresh: Points): Points {
  const last = known.index.at(-1) ?? -1;
  const first = fresh.index.findIndex((index) => index > last);
  if (first === -1) return known;
  return {
    index: [...known.index, ...fresh.index.slice(first)],
    step: [...known.step, ...fresh.step.slice(first)],
    time: [...known.time, ...fresh.time.slice(first)],
    value: [...known.value, ...fresh.value.slice(first)],
    // Indices of points count up by one, so the last one gives their number.
    total: known.total + fresh.index.at(-1)! - last,
  };
}

/** Keeps the lowest and highest point of each bucket, so that no peak is lost. */
export function folded(points: Points, most: number): Points {
  const count = points.index.length;
  if (count <= 2 * most) return points;
  const keep = new Set<number>([0, count - 1]);
  const buckets = Math.max(1, Math.floor(most / 2));
  for (let b = 0; b < buckets; b++) {
    const [from, to] = [Math.floor((b * count) / buckets), Math.floor(((b + 1) * count) / buckets)];
    let [low, high] = [from, from];
    for (let i = from; i < to; i++) {
      const value = points.value[i]!;
      if (value === null) keep.add(i);
      else {
        if (points.value[low] === null || value < points.value[low]!) low = i;
        if (points.value[high] === null || value > points.value[high]!) high = i;
      }
    }
    keep.add(low).add(high);
  }
  const kept = [...keep].sort((a, b) => a - b);
  const of = <T>(column: readonly T[]) => kept.map((i) => column[i]!);
  return {
    index: of(points.index),
    step: of(points.step),
    time: of(points.time),
    value: of(points.value),
    total: points.total,
  };
}
