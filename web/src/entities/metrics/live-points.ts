/** Adds pushed points to a run's series, instead of requesting all of it again. Pure. */
import type { Metrics } from "@/api/types";

type Points = Metrics["series"][string];

/** Whether points between the known and the pushed ones are missing. Points are numbered from 0, so `total` is the next number. */
export function isGap(known: Metrics, pushed: Metrics): boolean {
  return Object.entries(pushed.series).some(
    ([name, points]) => (points.index[0] ?? 0) > (known.series[name]?.total ?? 0),
  );
}

/**
 * The known series of a whole run with what `pushed` adds; points that both have are matched by their number. A series
 * longer than twice `most` is reduced to `most`. Returns `known` itself when nothing is new.
 */
export function grown(known: Metrics, pushed: Metrics, most: number): Metrics {
  const news = Object.entries(pushed.series).filter(
    ([name, points]) => points.total > (known.series[name]?.total ?? 0),
  );
  if (news.length === 0) return known;
  const series = { ...known.series };
  for (const [name, points] of news) {
    const before = series[name];
    series[name] = before ? folded(appended(before, points), most) : points;
  }
  return { series };
}

function appended(known: Points, pushed: Points): Points {
  const isNew = (_: unknown, i: number) => pushed.index[i]! >= known.total;
  return byStep({
    index: [...known.index, ...pushed.index.filter(isNew)],
    step: [...known.step, ...pushed.step.filter(isNew)],
    time: [...known.time, ...pushed.time.filter(isNew)],
    value: [...known.value, ...pushed.value.filter(isNew)],
    total: pushed.total,
    source: known.source ?? pushed.source,
  });
}

/** Steps go back when a run is resumed from an older checkpoint; a chart needs them in ascending order. */
function byStep(points: Points): Points {
  if (points.step.every((step, i) => i === 0 || step >= points.step[i - 1]!)) return points;
  const order = points.step.map((_, i) => i).sort((a, b) => points.step[a]! - points.step[b]!);
  return pick(points, order);
}

function pick(points: Points, places: readonly number[]): Points {
  const of = <T>(column: readonly T[]) => places.map((i) => column[i]!);
  return {
    index: of(points.index),
    step: of(points.step),
    time: of(points.time),
    value: of(points.value),
    total: points.total,
    source: points.source,
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
  return pick(
    points,
    [...keep].sort((a, b) => a - b),
  );
}
