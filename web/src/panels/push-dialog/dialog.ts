import { createStore } from "@/lib/store";

/** The checkpoint that the dialog is about. */
export interface PushedCheckpoint {
  id: string;
  /** What it is called in the dialog's title. */
  title: string;
  algorithm: string;
  envId: string;
}

/** Null: the dialog is closed. */
export const pushDialog = createStore<PushedCheckpoint | null>(null);
