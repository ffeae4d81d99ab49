/**
 * The session of this browser. A ticket or the token arrives once in the URL's fragment and is traded for an HttpOnly
 * cookie and the session's keys.
 */
import { createStore } from "@/lib/store";
import { type ProblemError, problemFrom, unreachable } from "./problem";
import { followOtherTabs, keepKeys, keyHeaders, readKeys, type SessionKeys } from "./session-keys";

export type SessionState = "opening" | "open" | "closed";
/** What a browser signs in with: a sign-in link carries a ticket; a person may paste the token. */
export type Pass = { ticket: string } | { token: string };

export const session = createStore<SessionState>("opening");
/** Why the lab refused the sign-in link that this page was opened with. */
export const refusedLink = createStore<ProblemError | null>(null);

/** Signs in with what the address carries; a browser that is signed in already stays so, and keeps its session. */
export async function startSession(): Promise<void> {
  const pass = takePass();
  if (readKeys() !== null && (await isSignedIn())) return session.set("open");
  if (pass === null) return session.set("closed");
  try {
    await openSession(pass);
  } catch (error) {
    refusedLink.set(error as ProblemError);
    session.set("closed");
  }
}

/** Follows sign-in links opened in this tab, which change only the fragment, and other tabs; returns what stops it. */
export function followSignIns(): () => void {
  const onHash = () => void (/[#&](token|ticket)=/.test(window.location.hash) && startSession());
  window.addEventListener("hashchange", onHash);
  const stop = followOtherTabs(() => {
    // Shown anew, because the addresses on the page carry the keys of the session before.
    session.set("opening");
    void startSession();
  });
  return () => {
    window.removeEventListener("hashchange", onHash);
    stop();
  };
}

/** Asks for a sign-in if the session has ended: after a refused or closed connection. */
export async function checkSession(): Promise<void> {
  if (session.get() === "open" && !(await isSignedIn())) session.set("closed");
}

/** A lab that does not respond is no reason to ask for a sign-in: the header already shows that the page is not live. */
async function isSignedIn(): Promise<boolean> {
  try {
    const response = await fetch("/api/session", { credentials: "same-origin", headers: keyHeaders() });
    return !response.ok || ((await response.json()) as { signed_in: boolean }).signed_in;
  } catch {
    return true;
  }
}

/** Throws a ProblemError when the lab refuses. */
export async function openSession(pass: Pass): Promise<void> {
  const response = await fetch("/api/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    credentials: "same-origin",
    body: JSON.stringify(pass),
  }).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw problemFrom(response.status, await response.json().catch(() => null));
  const { key, view_key } = (await response.json()) as SessionKeys;
  keepKeys({ key, view_key });
  refusedLink.set(null);
  session.set("open");
}

/** Signs this browser out, in all its tabs. */
export async function closeSession(): Promise<void> {
  await fetch("/api/session", {
    method: "DELETE",
    credentials: "same-origin",
    headers: keyHeaders(),
  }).catch(() => {
    throw unreachable();
  });
  keepKeys(null);
  session.set("closed");
}

/** Reads `#ticket=…` or `#token=…` and strips it, so that it is not in the history, a bookmark or a shared link. */
export function takePass(
  location: Location = window.location,
  history: History = window.history,
): Pass | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const ticket = fragment.get("ticket");
  const token = fragment.get("token");
  if (ticket === null && token === null) return null;
  fragment.delete("ticket");
  fragment.delete("token");
  const rest = fragment.toString();
  history.replaceState(history.state, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
  return ticket === null ? { token: token! } : { ticket };
}
