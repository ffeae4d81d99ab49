/** What a saved view opens. Pure. */
import type { SavedView } from "@/api/types";
import { type RunsSearch, runsSearch } from "./search";

/** The search parameters that open a view: those it does not have are cleared. */
export const searchOf = (view: SavedView): RunsSearch => ({ ...CLEARED, ...runsSearch(view.search) });

/** The view that is on the screen, to be saved under a name. */
export const viewOf = (name: string, search: RunsSearch, columns: readonly string[]): SavedView => ({
  name,
  search: Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)),
  columns: [...columns],
});

const CLEARED: RunsSearch = {
  q: undefined,
  status: undefined,
  kind: undefined,
  sort: undefined,
  tag: undefined,
  archived: undefined,
};
