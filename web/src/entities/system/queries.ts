import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { keys } from "@/entities/query-keys";

export const healthQuery = queryOptions({
  queryKey: keys.health,
  queryFn: ({ signal }) => data(api.GET("/api/health", { signal })),
});

/** How often the machine is measured while the page shows it. */
export const LOOK_MS = 2_000;

export const systemQuery = queryOptions({
  queryKey: keys.system,
  queryFn: ({ signal }) => data(api.GET("/api/system", { signal })),
  refetchInterval: LOOK_MS,
  staleTime: 0,
});

export const doctorQuery = queryOptions({
  queryKey: keys.doctor,
  queryFn: ({ signal }) => data(api.GET("/api/doctor", { signal })),
  staleTime: 60_000,
});

export const settingsQuery = queryOptions({
  queryKey: keys.settings,
  queryFn: ({ signal }) => data(api.GET("/api/settings", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});
