/** Which dialog of foreign code is open; any part of the page may open one. */
import type { NewRun, Run } from "@/api/types";
import { createStore } from "@/lib/store";

export const scriptDialog = createStore(false);

export interface WantedRun {
  wanted: NewRun;
  onStarted: (run: Run) => void;
}

/** A run that waits for somebody's word; null when none does. */
export const consentDialog = createStore<WantedRun | null>(null);
