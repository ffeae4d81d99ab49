/**
 * Derived metrics of a run in progress. The lab pushes only what was measured, so their series are fetched again while
 * new points arrive: not often, and only theirs.
 */
import type { QueryClient } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { DerivedMetric, Metrics } from "@/api/types";
import { derivedMetricsQuery } from "@/entities/derived-metrics/queries";

const REFETCH_MS = 3_000;
/** A request that took a second is followed by one after ten: long series are computed anew each time. */
const SHARE = 10;
/** What a request may hold. */
const MOST_CHARACTERS = 1_900;
const DERIVED = "derived: ";

export interface Paced {
  ask: () => void;
  cancel: () => void;
}

/** Runs a request now or, if one was just made, a while later; the last call is never lost. */
export function paced(request: () => Promise<unknown>, leastMs: number = REFETCH_MS): Paced {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [isResting, isAsked, isOver] = [false, false, false];
  const run = async () => {
    [isResting, isAsked] = [true, false];
    const began = performance.now();
    // The next points ask again; the header already shows when the lab is away.
    await request().catch(() => undefined);
    if (isOver) return;
    timer = setTimeout(rested, Math.max(leastMs, SHARE * (performance.now() - began)));
  };
  const rested = () => {
    isResting = false;
    if (isAsked) void run();
  };
  return {
    ask() {
      isAsked = true;
      if (!isResting) void run();
    },
    cancel() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** The expression of a derived series; null for a measured one. */
export const expressionOf = (source: string | null | undefined): string | null =>
  source?.startsWith(DERIVED) ? source.slice(DERIVED.length) : null;

/** Names of the derived metrics that the run may have, as one text for a request. */
export function namesFor(definitions: readonly DerivedMetric[], metrics: Metrics): string {
  const isMeasured = (name: string) =>
    metrics.series[name] !== undefined && expressionOf(metrics.series[name].source) === null;
  let text = "";
  for (const { name } of definitions) {
    const longer = text === "" ? name : `${text},${name}`;
    if (!isMeasured(name) && longer.length <= MOST_CHARACTERS) text = longer;
  }
  return text;
}

/** The known series with these in place of older ones; empty ones are left out. */
export function withDerived(known: Metrics, fetched: Metrics): Metrics {
  const filled = Object.entries(fetched.series).filter(([, points]) => points.index.length > 0);
  return filled.length === 0 ? known : { series: { ...known.series, ...Object.fromEntries(filled) } };
}

export async function fetchDerived(
  client: QueryClient,
  runId: string,
  key: readonly unknown[],
  points: number,
): Promise<void> {
  const definitions = await client.ensureQueryData(derivedMetricsQuery);
  const before = client.getQueryData<Metrics>(key);
  const names = before ? namesFor(definitions, before) : "";
  if (names === "") return;
  const fetched = await data(
    api.GET("/api/runs/{run_id}/metrics", {
      params: { path: { run_id: runId }, query: { points, names } },
    }),
  );
  // Points that were pushed meanwhile stay: only derived series are replaced.
  client.setQueryData<Metrics>(key, (now) => (now ? withDerived(now, fetched) : now));
}
