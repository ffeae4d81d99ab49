/** Keeps a run's series up to date with the points that the lab pushes. */
import type { Metrics } from "@/api/types";
import { grown, isGap } from "./live-points";

export interface SeriesStore {
  read: () => Metrics | undefined;
  write: (metrics: Metrics) => void;
  /** Requests the whole series over HTTP and stores it. */
  fetch: () => Promise<unknown>;
}

export interface PushedPoints {
  items: readonly Metrics[];
  /** The lab does not know what was missed. */
  reset: boolean;
}

/** A response may be older than points that are pushed while it is on its way. */
const TRIES = 2;

/** Returns the function that takes a message: it adds the points, or fetches the series when some are missing. */
export function pointsFollower(store: SeriesStore, most: number): (pushed: PushedPoints) => void {
  let waiting: Metrics[] = [];
  let isFetching = false;

  /** False when points are missing; then nothing is added. */
  const add = (items: readonly Metrics[]): boolean => {
    let metrics = store.read();
    for (const item of items) {
      if (metrics === undefined || isGap(metrics, item)) return false;
      metrics = grown(metrics, item, most);
    }
    if (metrics !== undefined && metrics !== store.read()) store.write(metrics);
    return true;
  };

  const fetchAgain = async () => {
    isFetching = true;
    try {
      for (let tries = 0; tries < TRIES; tries++) {
        await store.fetch();
        if (add(waiting)) break;
      }
    } catch {
      // The next message tries again; the header already shows when the lab is away.
    } finally {
      waiting = [];
      isFetching = false;
    }
  };

  return ({ items, reset }) => {
    if (isFetching) waiting.push(...items);
    else if (reset || !add(items)) {
      waiting = [...items];
      void fetchAgain();
    }
  };
}
