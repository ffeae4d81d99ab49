import type { CheckpointItem } from "@/api/types";
import { createStore } from "@/lib/store";

/** The checkpoint that gets a name; null: the dialog is closed. */
export const nameDialog = createStore<CheckpointItem | null>(null);
