/** The session of this browser. The token arrives once in the URL's fragment and is exchanged for an HttpOnly cookie. */
import { createStore } from "@/lib/store";
import { problemFrom, unreachable } from "./problem";

export type SessionState = "opening" | "open" | "closed";

export const session = createStore<SessionState>("opening");

/** Exchanges the token of the address, if there is one; otherwise checks whether this browser is signed in. */
export async function startSession(): Promise<void> {
  const token = takeToken();
  if (token === null) return session.set((await isSignedIn()) ? "open" : "closed");
  try {
    await openSession(token);
  } catch {
    session.set("closed");
  }
}

/** The sign-in link opened in a tab that already shows the page changes only the fragment; returns the function that stops listening. */
export function followSignInLinks(): () => void {
  const onHash = () => void (window.location.hash.includes("token=") && startSession());
  window.addEventListener("hashchange", onHash);
  return () => window.removeEventListener("hashchange", onHash);
}

/** A lab that does not respond is no reason to ask for a token: the header already shows that the page is not live. */
async function isSignedIn(): Promise<boolean> {
  try {
    const response = await fetch("/api/session", { credentials: "same-origin" });
    return !response.ok || ((await response.json()) as { signed_in: boolean }).signed_in;
  } catch {
    return true;
  }
}

/** Throws a ProblemError when the lab refuses the token. */
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
