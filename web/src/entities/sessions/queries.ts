/** Browsers that are signed in. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { closeSession } from "@/api/session";
import type { BrowserSession } from "@/api/types";
import { keys } from "@/entities/query-keys";

export const sessionsQuery = queryOptions({
  queryKey: keys.sessions,
  queryFn: ({ signal }) => data(api.GET("/api/sessions", { signal })),
});

/** Signs a browser out; for this one, the page asks for a sign-in. */
export async function endSession(session: BrowserSession): Promise<void> {
  if (session.is_current) return closeSession();
  await data(api.DELETE("/api/sessions/{session_id}", { params: { path: { session_id: session.id } } }));
}

export const endOtherSessions = (): Promise<BrowserSession[]> => data(api.DELETE("/api/sessions"));

/** "Firefox 142 on Linux" */
export const browserName = ({ browser, system }: BrowserSession): string =>
  system ? `${browser} on ${system}` : browser;
