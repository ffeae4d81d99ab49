/** What a link to the table of runs carries. */
import { KINDS, STATUSES } from "@/entities/runs/status";
import { flag, oneOf, type SearchOf, searchParams, text } from "@/lib/search";

export const runsSearch = searchParams({
  q: text,
  status: oneOf(STATUSES),
  kind: oneOf(KINDS),
  sort: text,
  tag: text,
  archived: flag,
  /** The runs of one study. */
  study: text,
  /** The runs that learned from the version of a dataset with this content hash. */
  dataset: text,
});
export type RunsSearch = SearchOf<typeof runsSearch>;
