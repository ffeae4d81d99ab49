/** A training whose reward this machine cannot confine waits for approval; null when there is none. */
import type { NewRun, Run } from "@/api/types";
import { createStore } from "@/lib/store";

export interface WaitingTraining {
  wanted: NewRun;
  onStarted: (run: Run) => void;
}

export const rewardConsent = createStore<WaitingTraining | null>(null);
