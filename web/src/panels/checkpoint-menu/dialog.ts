import type { CheckpointSubject } from "@/entities/checkpoints/subject";
import { createStore } from "@/lib/store";

/** The checkpoint whose tags and note are edited; null: the dialog is closed. */
export const marksDialog = createStore<CheckpointSubject | null>(null);

/** The checkpoint that the user is asked to delete; null: the dialog is closed. */
export const deleteDialog = createStore<CheckpointSubject | null>(null);
