/** What every tab of the run page receives. */
import type { Run } from "@/api/types";
import type { RunSearch } from "./search";

export interface TabProps {
  run: Run;
  search: RunSearch;
  /** `isStep`: adds an entry to the browser history, so that "back" returns here. */
  onSearch: (change: RunSearch, isStep?: boolean) => void;
}
