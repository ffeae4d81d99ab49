import type { Run } from "@/api/types";
import { createStore } from "@/lib/store";

/** The run that is to be trained longer; null: the dialog is closed. */
export const longerDialog = createStore<Run | null>(null);

export const openLonger = (run: Run): void => longerDialog.set(run);
