/** A run's series, asked for again as ticks arrive: at most every other second, and only while the page is seen. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Tick } from "@/api/types";
import { topics, useLiveTopic } from "@/api/use-live";
import { type MetricsWanted, metricsQuery } from "./queries";

const AGAIN_MS = 2_000;

export function useMetrics(runId: string, wanted: MetricsWanted) {
  const client = useQueryClient();
  const query = metricsQuery(runId, wanted);
  const askedAt = useRef(0);
  useLiveTopic<Tick>(topics.metrics(runId), null, () => {
    const now = performance.now();
    if (document.hidden || now - askedAt.current < AGAIN_MS) return;
    askedAt.current = now;
    void client.invalidateQueries({ queryKey: query.queryKey });
  });
  return useQuery(query);
}
