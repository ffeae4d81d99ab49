/** Series of runs, live: fetched once over HTTP, then extended with the points that the lab pushes. */
import {
  notifyManager,
  type QueryClient,
  type UseQueryResult,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import type { Metrics } from "@/api/types";
import { live, topics } from "@/api/use-live";
import type { Range } from "@/charts/plot";
import { stepsOf } from "./axis";
import type { XAxis } from "./chart-search";
import { fetchDerived, paced } from "./derived-points";
import { pointsFollower } from "./follow-points";
import { metricsQuery, POINTS } from "./queries";

/** The whole run, live; when a range is given, also that part in full resolution. */
export function useMetrics(runId: string, x: XAxis = "step", range: Range | null = null) {
  const whole = useQuery(metricsQuery(runId));
  useGrowing(isFetched(whole) ? [runId] : [], POINTS);
  const steps = range && whole.data ? stepsOf(whole.data, x, range) : null;
  const part = useQuery({ ...metricsQuery(runId, steps ?? {}), enabled: steps !== null });
  return { whole, shown: steps !== null && part.data ? part.data : whole.data };
}

/** The same for several runs in one chart; the more runs, the fewer points each. */
export function useManyMetrics(runIds: readonly string[], x: XAxis, range: Range | null) {
  const points = pointsFor(runIds.length);
  const wholes = useQueries({ queries: runIds.map((id) => wholeQuery(id, points)) });
  useGrowing(
    runIds.filter((_, i) => isFetched(wholes[i]!)),
    points,
  );
  const parts = useQueries({
    queries: runIds.map((id, i) => {
      const whole = wholes[i]?.data;
      const steps = range && whole ? stepsOf(whole, x, range) : null;
      return { ...metricsQuery(id, { points, ...steps }), enabled: steps !== null };
    }),
  });
  return {
    wholes,
    shown: runIds.map((_, i) => (range ? parts[i]?.data : undefined) ?? wholes[i]?.data),
  };
}

const ALL_POINTS = 8_000;
const LEAST_POINTS = 300;

const pointsFor = (runs: number): number =>
  Math.min(POINTS, Math.max(LEAST_POINTS, Math.floor(ALL_POINTS / Math.max(1, runs))));

const wholeQuery = (runId: string, points: number) =>
  metricsQuery(runId, points === POINTS ? {} : { points });

const isFetched = (query: UseQueryResult) => query.isSuccess && !query.isPlaceholderData;

/** Adds the pushed points to the series of these runs, which are in the cache. */
function useGrowing(runIds: readonly string[], points: number): void {
  const client = useQueryClient();
  const ids = runIds.join(",");
  useEffect(() => {
    const ends = ids
      .split(",")
      .filter(Boolean)
      .map((runId) => keepGrowing(client, runId, points));
    return () => {
      for (const end of ends) end();
    };
  }, [client, ids, points]);
}

const TOGETHER_MS = 150;
let waiting: (() => void)[] = [];

/** Points of several runs arrive milliseconds apart: they are applied together, with one redraw. */
function applyTogether(keep: () => void): void {
  waiting.push(keep);
  if (waiting.length > 1) return;
  setTimeout(() => {
    const all = waiting;
    waiting = [];
    notifyManager.batch(() => {
      for (const one of all) one();
    });
  }, TOGETHER_MS);
}

/** The lab first sends the newest points again: what came between the request and the subscription is in them. */
function keepGrowing(client: QueryClient, runId: string, points: number): () => void {
  const query = wholeQuery(runId, points);
  const follow = pointsFollower(
    {
      read: () => client.getQueryData<Metrics>(query.queryKey),
      write: (metrics) => client.setQueryData<Metrics>(query.queryKey, metrics),
      fetch: () => client.fetchQuery({ ...query, staleTime: 0 }),
    },
    points,
  );
  const derived = paced(() => fetchDerived(client, runId, query.queryKey, points));
  const leave = live.subscribe(topics.points(runId), null, ({ items, reset = false }) =>
    applyTogether(() => {
      follow({ items: items as Metrics[], reset });
      if (items.length > 0) derived.ask();
    }),
  );
  return () => {
    leave();
    derived.cancel();
  };
}
