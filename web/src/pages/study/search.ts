/** What a link to a study carries. */
import { oneOf, type SearchOf, searchParams, text } from "@/lib/search";

export const studySearch = searchParams({
  /** Of the seeds, at each step of the curves. */
  statistic: oneOf(["mean", "iqm", "median"]),
  /** The two parameters of the contour plot. */
  x: text,
  y: text,
  /** The order of the variants: "value", "-seeds", "params.learning_rate". */
  sort: text,
  /** What is compared, unless it is the measure of the study: one of the lab, a number of evaluation code, a derived metric. */
  measure: text,
  /** Which evaluations are compared: the hash of their protocol. */
  protocol: text,
});
export type StudySearch = SearchOf<typeof studySearch>;
