/** Series of runs, live: a tick shows that there is more, and only the new points are requested and appended. */
import { notifyManager, type QueryClient, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Metrics } from "@/api/types";
import { live, topics } from "@/api/use-live";
import type { Range } from "@/charts/plot";
import { stepsOf } from "./axis";
import type { XAxis } from "./chart-search";
import { askFrom, grown } from "./live-points";
import { fetchMetrics, metricsQuery, POINTS } from "./queries";

const AGAIN_MS = 1_000;

/** The whole run, live; when a range is given, also that part in full resolution. */
export function useMetrics(runId: string, x: XAxis = "step", range: Range | null = null) {
  useGrowing([runId], POINTS);
  const whole = useQuery(metricsQuery(runId));
  const steps = range && whole.data ? stepsOf(whole.data, x, range) : null;
  const part = useQuery({ ...metricsQuery(runId, steps ?? {}), enabled: steps !== null });
  return { whole, shown: steps !== null && part.data ? part.data : whole.data };
}

/** The same for several runs in one chart; the more runs, the fewer points each. */
export function useManyMetrics(runIds: readonly string[], x: XAxis, range: Range | null) {
  const points = pointsFor(runIds.length);
  useGrowing(runIds, points);
  const wholes = useQueries({
    queries: runIds.map((id) => metricsQuery(id, points === POINTS ? {} : { points })),
  });
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

/** Keeps the series of these runs growing while the page is visible. */
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

/** Responses for several runs arrive milliseconds apart: they are applied together, with one redraw. */
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

/** One request at a time for each run, and at most one per second. */
function keepGrowing(client: QueryClient, runId: string, points: number): () => void {
  const { queryKey } = metricsQuery(runId, points === POINTS ? {} : { points });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  const ask = async () => {
    timer = undefined;
    const before = client.getQueryData<Metrics>(queryKey);
    if (isAsking || before === undefined || document.hidden) return;
    isAsking = true;
    try {
      const fresh = await fetchMetrics(runId, { from: askFrom(before), points });
      applyTogether(() =>
        client.setQueryData<Metrics>(queryKey, (now) => (now ? grown(now, fresh, points) : now)),
      );
    } catch {
      // The next tick tries again; the header already shows when the lab is away.
    } finally {
      isAsking = false;
    }
  };
  const soon = () => {
    // At full seconds, so that runs in one chart are requested together.
    timer ??= setTimeout(() => void ask(), AGAIN_MS - (Date.now() % AGAIN_MS));
  };
  const onSeen = () => !document.hidden && soon();
  document.addEventListener("visibilitychange", onSeen);
  const leave = live.subscribe(topics.metrics(runId), null, soon);
  return () => {
    leave();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onSeen);
  };
}
