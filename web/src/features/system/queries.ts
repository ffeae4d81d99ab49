import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";

export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => data(api.GET("/api/health", { signal })),
});
