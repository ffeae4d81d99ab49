/** What of a captured script the lab did not see, as its event log lists it. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { EventPage, EventType } from "@/api/types";
import { keys } from "@/entities/query-keys";

const NOT_CAPTURED: EventType = "not_captured";
const MOST = 200;

export const notCapturedQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.notCaptured(runId),
    queryFn: async ({ signal }) => {
      const params = { path: { run_id: runId }, query: { level: ["warning" as const], limit: MOST } };
      const page = await data(api.GET("/api/runs/{run_id}/events", { params, signal }));
      // A string only for a client that asks for an event stream.
      const { items } = page as EventPage;
      const texts = items.filter(({ type }) => type === NOT_CAPTURED).map(({ message }) => message);
      return [...new Set(texts)].reverse();
    },
  });
