import type { CheckpointItem } from "@/api/types";
import { createStore } from "@/lib/store";

/** The checkpoint whose tags and note are edited; null: the dialog is closed. */
export const marksDialog = createStore<CheckpointItem | null>(null);
