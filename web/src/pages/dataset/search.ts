/** What a link to a dataset carries. */
import { count, number, oneOf, type SearchOf, searchParams } from "@/lib/search";

export const EPISODE_ORDERS = ["-return", "return", "-length", "length"] as const;

export const datasetSearch = searchParams({
  /** The version; the newest when absent. */
  v: count,
  /** The episode that is watched, and its step. */
  episode: count,
  frame: count,
  sort: oneOf(EPISODE_ORDERS),
  return_min: number,
  return_max: number,
  length_min: count,
  length_max: count,
});
export type DatasetSearch = SearchOf<typeof datasetSearch>;
