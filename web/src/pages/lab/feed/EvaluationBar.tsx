/** The evaluation under the stage: its status, how many episodes are done, and why it ended. */
import type { EvaluationSummary, Run } from "@/api/types";
import { playedText } from "@/entities/evaluations/test-run";
import { RunMoves } from "@/entities/runs/RunMoves";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { isOver } from "@/entities/runs/status";
import { Progress } from "@/ui/Progress";

export interface EvaluationBarProps {
  run: Run;
  numbers: EvaluationSummary | null;
  problem?: string | null;
}

export function EvaluationBar({ run, numbers, problem }: EvaluationBarProps) {
  const wanted = run.config.kind === "evaluate" ? run.config.episodes : 0;
  const done = Math.min(wanted, run.progress.episodes);
  const seeds = run.config.kind === "evaluate" ? run.config.seeds : null;
  const isDone = isOver(run);
  const played = numbers && playedText(numbers);
  const isFilming = !isDone && wanted > 0 && done >= wanted;
  return (
    <div className="flex flex-col gap-2 border-t px-4 py-3">
      <div className="flex min-h-7 flex-wrap items-center gap-3">
        <span className="text-sm font-medium">{run.name}</span>
        <StatusBadge status={run.status} />
        {!isDone && (
          <div className="ml-auto">
            <RunMoves run={run} small />
          </div>
        )}
      </div>
      {!isDone && (
        <Progress label="Progress of the evaluation" fraction={wanted > 0 ? done / wanted : null} />
      )}
      <p className="figures text-xs text-ink-2">
        {`${done} of ${wanted} episodes`}
        {played && `, checkpoint of ${played}`}
        {seeds && `, seeds ${seeds.map(String).join(" ")}`}
        {isFilming && ", the video is being made"}
      </p>
      {problem && <p className="text-xs text-warn">{problem}</p>}
      {run.reason && run.status !== "succeeded" && (
        <p className="text-xs text-ink-2">
          {run.reason.message} <span className="text-ink">{run.reason.next_step}</span>
        </p>
      )}
    </div>
  );
}
