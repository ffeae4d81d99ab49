import { createStore } from "@/lib/store";

export interface AdoptDialogState {
  isOpen: boolean;
  /** What was dropped on the page. */
  folder: string;
}

export const adoptDialog = createStore<AdoptDialogState>({ isOpen: false, folder: "" });
