/** What runs, what waits, and for what. Kept fresh by `use-live-queue.ts`. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { PauseChange, PriorityChange, QueueMove, SlotsChange } from "@/api/types";
import { keys } from "@/entities/query-keys";

export const queueQuery = queryOptions({
  queryKey: keys.queue,
  queryFn: ({ signal }) => data(api.GET("/api/queue", { signal })),
});

export const putSlots = (body: SlotsChange) => data(api.PUT("/api/queue/slots", { body }));

/** `to: 1` starts next. */
export const postMove = (body: Partial<QueueMove>) =>
  data(api.POST("/api/queue/moves", { body: body as QueueMove }));

export const putPriority = (body: Partial<PriorityChange>) =>
  data(api.PUT("/api/queue/priority", { body: body as PriorityChange }));

export const putPause = (body: PauseChange) => data(api.PUT("/api/queue/pause", { body }));
