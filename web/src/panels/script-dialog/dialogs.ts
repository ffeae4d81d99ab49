/** Which dialog about scripts is open; any part of the page may open one. */
import type { NewRun } from "@/api/types";
import { createStore } from "@/lib/store";
import type { ScriptDraft } from "./draft";

export interface ScriptDialogState {
  isOpen: boolean;
  /** What is filled in; null for what was typed last. */
  draft: ScriptDraft | null;
}

export const scriptDialog = createStore<ScriptDialogState>({ isOpen: false, draft: null });

export const openScriptDialog = (draft: ScriptDraft | null = null): void =>
  scriptDialog.set({ isOpen: true, draft });

export interface WantedRun {
  wanted: NewRun;
  /** Starts it, or the study of it, with this approval. */
  onApprove: (sha256: string) => void;
}

/** A run that waits for approval; null when there is none. */
export const consentDialog = createStore<WantedRun | null>(null);
