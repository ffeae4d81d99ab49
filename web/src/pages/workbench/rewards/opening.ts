/** How a part of the tab opens another reward. */
import type { WorkbenchSearch } from "@/pages/workbench/search";

export interface Opening {
  /** The run that it was opened from. */
  runId: string | null;
  onOpen: (next: WorkbenchSearch) => void;
}
