/** What a link to the list of models carries. */
import { flag, oneOf, type SearchOf, searchParams, text } from "@/lib/search";

export const modelsSearch = searchParams({
  q: text,
  env: text,
  algorithm: text,
  tag: text,
  /** Only versions of named models. */
  named: flag,
  sort: text,
  /** All checkpoints when absent. */
  view: oneOf(["named"]),
});
export type ModelsSearch = SearchOf<typeof modelsSearch>;
