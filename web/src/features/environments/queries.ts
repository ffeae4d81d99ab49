import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";

export const environmentsQuery = queryOptions({
  queryKey: ["environments"],
  queryFn: ({ signal }) => data(api.GET("/api/environments", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});
