/** Saved views: a filter, an order and columns under a name, kept by this browser. Pure. */
import type { RunsSearch } from "./search";

export interface View {
  name: string;
  search: RunsSearch;
  columns: readonly string[];
}

/** With the view added; one of the same name is replaced. */
export function withView(views: readonly View[], view: View): View[] {
  return [...withoutView(views, view.name), view].sort((a, b) => a.name.localeCompare(b.name));
}

export const withoutView = (views: readonly View[], name: string): View[] =>
  views.filter((one) => one.name !== name);

/** The search parameters that open a view: those it does not have are cleared. */
export const searchOf = (view: View): RunsSearch => ({ ...CLEARED, ...view.search });

const CLEARED: RunsSearch = {
  q: undefined,
  status: undefined,
  kind: undefined,
  sort: undefined,
  tag: undefined,
  archived: undefined,
};
