/** The end of the log that a run's worker writes. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { keys } from "@/entities/query-keys";

const TAIL = 1_000;
const FOLLOW_MS = 2_000;

/** A log has no live topic: while the run is live and its log is on the screen, it is polled. */
export const logQuery = (runId: string, isLive: boolean) =>
  queryOptions({
    queryKey: keys.log(runId),
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/runs/{run_id}/log", {
          params: { path: { run_id: runId }, query: { tail: TAIL } },
          signal,
        }),
      ),
    refetchInterval: isLive ? FOLLOW_MS : false,
  });
