import type { CheckpointItem } from "@/api/types";
import { createStore } from "@/lib/store";

export type NamedCheckpoint = Pick<CheckpointItem, "id" | "run_name" | "timestep" | "role" | "score">;

/** The checkpoint that gets a name; null: the dialog is closed. */
export const nameDialog = createStore<NamedCheckpoint | null>(null);
