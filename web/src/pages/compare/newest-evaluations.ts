/** Which evaluation of each run is compared, and the numbers of evaluation code that these have. Pure. */
import type { EvaluationSummary } from "@/api/types";

/** The newest, by the protocol with this hash where one is chosen. */
export function newestOf(
  evaluations: readonly { summary: EvaluationSummary | null }[] | undefined,
  protocol: string | undefined,
): EvaluationSummary | null {
  const isMeant = (summary: EvaluationSummary) =>
    protocol === undefined || summary.protocol?.sha256 === protocol;
  return evaluations?.find(({ summary }) => summary !== null && isMeant(summary))?.summary ?? null;
}

/** Of all of them, in the order in which they appear. */
export const numberNames = (summaries: readonly (EvaluationSummary | null)[]): string[] => [
  ...new Set(summaries.flatMap((summary) => Object.keys(summary?.numbers ?? {}))),
];
