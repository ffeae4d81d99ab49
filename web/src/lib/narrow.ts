/** Whether the window is as narrow as a phone. */
import { useSyncExternalStore } from "react";

const query = () => window.matchMedia?.("(max-width: 39.99rem)");

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query()?.matches ?? false);
}

function subscribe(onChange: () => void): () => void {
  const list = query();
  list?.addEventListener("change", onChange);
  return () => list?.removeEventListener("change", onChange);
}
