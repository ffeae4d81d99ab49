import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";

export const runnersQuery = queryOptions({
  queryKey: ["runners"],
  queryFn: ({ signal }) => data(api.GET("/api/runners", { signal })),
  staleTime: 60_000,
});
