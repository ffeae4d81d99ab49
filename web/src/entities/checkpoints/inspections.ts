/** What a worker computes about one checkpoint, or about two; each only when it is asked for. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Inspection } from "@/api/types";
import { keys } from "@/entities/query-keys";

export type InspectionPart = Inspection["part"];

/** A checkpoint does not change, so neither does what was computed about it. */
const FOREVER = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

export const inspectionQuery = (checkpointId: string, part: InspectionPart) =>
  queryOptions({
    queryKey: keys.inspection(checkpointId, part),
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/checkpoints/{checkpoint_id}/inspection", {
          params: { path: { checkpoint_id: checkpointId }, query: { part } },
          signal,
        }),
      ),
    ...FOREVER,
  });

export const differenceQuery = (first: string, second: string) =>
  queryOptions({
    queryKey: keys.checkpointPair(first, second),
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/checkpoints/{checkpoint_id}/difference/{other_id}", {
          params: { path: { checkpoint_id: first, other_id: second } },
          signal,
        }),
      ),
    retry: false,
  });
