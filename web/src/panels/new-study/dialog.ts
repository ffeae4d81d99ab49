/** Whether the dialog is open; any page may open it. */
import { createStore } from "@/lib/store";

export const newStudyDialog = createStore(false);
