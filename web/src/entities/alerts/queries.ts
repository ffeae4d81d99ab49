import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Alert, AlertPatch, NewAlert } from "@/api/types";
import { keys } from "@/entities/query-keys";

/** The newest first. */
export const alertsQuery = queryOptions({
  queryKey: keys.alerts,
  queryFn: ({ signal }) => data(api.GET("/api/alerts", { signal })),
});

/** Which alerts have fired for which runs, the newest first. */
export const alertFiringsQuery = queryOptions({
  queryKey: keys.alertFirings,
  queryFn: ({ signal }) => data(api.GET("/api/alerts/firings", { params: { query: { limit: 50 } }, signal })),
});

export const saveAlert = (body: NewAlert): Promise<Alert> => data(api.POST("/api/alerts", { body }));

export const changeAlert = (id: string, body: AlertPatch): Promise<Alert> =>
  data(api.PATCH("/api/alerts/{alert_id}", { params: { path: { alert_id: id } }, body }));

export const deleteAlert = (id: string): Promise<Alert> =>
  data(api.DELETE("/api/alerts/{alert_id}", { params: { path: { alert_id: id } } }));

/** Executes its command and sends its webhook once, with example values. */
export const testAlert = (id: string) =>
  data(api.POST("/api/alerts/{alert_id}/test", { params: { path: { alert_id: id } } }));
