/** Who we are to the lab. The token comes once in the URL's fragment and is traded for an HttpOnly cookie. */
import { createStore } from "@/lib/store";
import { problemFrom, unreachable } from "./problem";

export type SessionState = "opening" | "open" | "closed";

export const session = createStore<SessionState>("opening");

/** Trades the token of the address, if there is one; a page without one trusts its cookie until a 401. */
export async function startSession(): Promise<void> {
  const token = takeToken();
  if (token === null) return session.set("open");
  try {
    await openSession(token);
  } catch {
    session.set("closed");
  }
}

/** Throws a ProblemError when the lab does not take the token. */
export async function openSession(token: string): Promise<void> {
  const response = await fetch("/api/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    credentials: "same-origin",
    body: JSON.stringify({ token }),
  }).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw problemFrom(response.status, await response.json().catch(() => null));
  session.set("open");
}

/** Reads `#token=…` and strips it, so that it is not in the history, a bookmark or a shared link. */
export function takeToken(
  location: Location = window.location,
  history: History = window.history,
): string | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get("token");
  if (token === null) return null;
  fragment.delete("token");
  const rest = fragment.toString();
  history.replaceState(history.state, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
  return token;
}
