/** Below a watched episode: what is missing of its terms, and why. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { EpisodeTimeline } from "@/api/types";
import { RewardProblem } from "./RewardProblem";

export function TermsNote({ terms }: { terms: UseQueryResult<EpisodeTimeline> }) {
  if (terms.isPending) return "The terms of each step are being computed…";
  if (terms.isError) return `The terms could not be computed: ${terms.error.message}`;
  return (
    <div className="flex flex-col gap-2">
      {terms.data.rewards.map(
        ({ name, problem }, i) =>
          problem && <RewardProblem key={i} problem={{ ...problem, name: problem.name ?? name }} />,
      )}
    </div>
  );
}

/** Whether there is something to say. */
export const hasNote = (terms: UseQueryResult<EpisodeTimeline>): boolean =>
  !terms.isSuccess || terms.data.rewards.some(({ problem }) => problem);
