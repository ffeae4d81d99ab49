/** What runs, what waits, and for what. Kept fresh by `use-live-queue.ts`. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { keys } from "@/entities/query-keys";

export const queueQuery = queryOptions({
  queryKey: keys.queue,
  queryFn: ({ signal }) => data(api.GET("/api/queue", { signal })),
});
