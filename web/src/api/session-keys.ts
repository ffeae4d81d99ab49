/**
 * The keys of this browser's session. The cookie alone gives no access, because browsers send it to every port of a
 * host; these are kept in storage that only this page's origin can read, and all its tabs share them.
 */
import { forget, recall, remember } from "@/lib/remembered";

export interface SessionKeys {
  /** Sent as a header with every request. */
  key: string;
  /** Sent in addresses, where no header can be sent; it only reads. */
  view_key: string;
}

const PLACE = "session";
const HEADER = "RL-Lab-Key";
/** For a browser that forbids storage: signed in until the tab is closed. */
let inThisTab: SessionKeys | null = null;

export const readKeys = (): SessionKeys | null => recall<SessionKeys | null>(PLACE, inThisTab);

export function keepKeys(keys: SessionKeys | null): void {
  inThisTab = keys;
  if (keys === null) forget(PLACE);
  else remember(PLACE, keys);
}

export function keyHeaders(): Record<string, string> {
  const keys = readKeys();
  return keys ? { [HEADER]: keys.key } : {};
}

/** Calls `changed` when another tab signs in or out; returns the function that stops listening. */
export function followOtherTabs(changed: () => void): () => void {
  const onStorage = (event: StorageEvent) => void (event.key === `rl-lab.${PLACE}` && changed());
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
