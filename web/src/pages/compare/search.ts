/** What a link to a comparison carries. */
import { CHART_SEARCH } from "@/entities/metrics/chart-search";
import { flag, type SearchOf, searchParams, text } from "@/lib/search";

export const compareSearch = searchParams({
  ...CHART_SEARCH,
  /** Run ids, joined by commas. */
  runs: text,
  /** Runs that are listed but not drawn. */
  hidden: text,
  /** Runs that differ only in their seed become one line with a band. */
  group: flag,
  /** Every setting, not only those that differ. */
  all: flag,
  /** The duel that is open. */
  duel: text,
});
export type CompareSearch = SearchOf<typeof compareSearch>;
