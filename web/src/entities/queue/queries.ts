/** What runs, what waits, and for what. Kept fresh by `use-live-queue.ts`. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { SlotsChange } from "@/api/types";
import { keys } from "@/entities/query-keys";

export const queueQuery = queryOptions({
  queryKey: keys.queue,
  queryFn: ({ signal }) => data(api.GET("/api/queue", { signal })),
});

export const putSlots = (body: SlotsChange) => data(api.PUT("/api/queue/slots", { body }));
