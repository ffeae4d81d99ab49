/** What a link to the comparison of two checkpoints carries. */
import { type SearchOf, searchParams, text } from "@/lib/search";

export const pairSearch = searchParams({
  a: text,
  b: text,
  /** The shown duel; the newest between the two when absent. */
  duel: text,
});
export type PairSearch = SearchOf<typeof pairSearch>;
