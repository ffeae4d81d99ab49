/** What a link to a comparison carries. */
import { CHART_SEARCH } from "@/entities/metrics/chart-search";
import { flag, oneOf, type SearchOf, searchParams, text } from "@/lib/search";

/** What verdicts and statistics are about, unless another measure is chosen. */
export const USUAL_MEASURE = "final";

/** What the others are compared with: the first configuration, the one with the highest mean, or that of a run. */
export const FIRST = "first";
export const BEST = "best";

export const compareSearch = searchParams({
  ...CHART_SEARCH,
  /** Run ids, joined by commas. */
  runs: text,
  /** Runs that are listed but not drawn. */
  hidden: text,
  /** Runs that differ only in their seed become one line with a band. */
  group: flag,
  /** One of the lab's measures, or a number of evaluation code. */
  measure: text,
  /** Which evaluations are compared: the hash of their protocol. */
  protocol: text,
  /** `best`, or the id of a run; absent: the first. */
  reference: text,
  /** Of the seeds, at each step of grouped curves. */
  statistic: oneOf(["mean", "iqm", "median"]),
  /** Every setting, not only those that differ. */
  all: flag,
  /** The duel that is open. */
  duel: text,
});
export type CompareSearch = SearchOf<typeof compareSearch>;
