/** What a link to a run carries. */
import { EPISODE_SEARCH } from "@/entities/episodes/episode-search";
import { CHART_SEARCH } from "@/entities/metrics/chart-search";
import { count, flag, oneOf, type SearchOf, searchParams, text } from "@/lib/search";

export const RUN_TABS = [
  "overview",
  "charts",
  "config",
  "episodes",
  "evaluations",
  "artifacts",
  "events",
  "log",
] as const;
export type RunTab = (typeof RUN_TABS)[number];

export const runSearch = searchParams({
  ...CHART_SEARCH,
  ...EPISODE_SEARCH,
  tab: oneOf(RUN_TABS),
  episode: count,
  frame: count,
  /** The fork shown next to the episode it left. */
  fork: text,
  /** Another episode of the run that plays in step with it. */
  second: count,
  /** The evaluation that is open. */
  evaluation: text,
  /** Every parameter, not only those that differ. */
  all: flag,
});
export type RunSearch = SearchOf<typeof runSearch>;
