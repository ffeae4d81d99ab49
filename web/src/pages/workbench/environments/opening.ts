/** How a part of the tab opens another environment. */
import type { WorkbenchSearch } from "@/pages/workbench/search";

export interface OpensEnvironment {
  onOpen: (next: WorkbenchSearch) => void;
}
