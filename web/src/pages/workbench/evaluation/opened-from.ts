/** How a part of the tab opens another one. */
import type { WorkbenchSearch } from "@/pages/workbench/search";

export interface OpenedFrom {
  /** The run that it was opened from. */
  runId: string | null;
  onOpen: (next: WorkbenchSearch) => void;
}
