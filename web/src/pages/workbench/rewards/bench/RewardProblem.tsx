/** A reward that failed on an episode: why, and where. */
import type { BenchProblem } from "@/api/types";

export function RewardProblem({ problem }: { problem: BenchProblem }) {
  const where = [
    problem.line !== null && `line ${problem.line}`,
    problem.run_id && `episode ${problem.episode} of ${problem.run_id}`,
    problem.step !== null && `step ${problem.step}`,
  ].filter(Boolean);
  return (
    <p role="alert" className="rounded-sm border border-warn bg-warn-soft p-3 text-sm break-words text-warn">
      {problem.name && <span className="font-semibold">{`${problem.name}: `}</span>}
      {problem.message}
      {where.length > 0 && <span className="figures text-xs">{` (${where.join(", ")})`}</span>}
      {problem.next_step && ` ${problem.next_step}`}
    </p>
  );
}
