/** What an ended training reached, and what to do with it. Loaded when a run has ended. */
import type { Run } from "@/api/types";
import { FirstAndBest } from "@/panels/run-actions/FirstAndBest";
import { RunActions } from "@/panels/run-actions/RunActions";
import { SolvedNote } from "@/panels/run-actions/SolvedNote";

export interface EndedRunProps {
  run: Run;
  isSolved: boolean;
  threshold: number | null;
  onEvaluation: (evaluationId: string) => void;
}

export default function EndedRun({ run, isSolved, threshold, onEvaluation }: EndedRunProps) {
  return (
    <>
      {isSolved && <SolvedNote run={run} threshold={threshold} />}
      <div className="flex flex-wrap items-center gap-2">
        <RunActions run={run} onEvaluation={(made) => onEvaluation(made.id)} />
        <FirstAndBest run={run} />
      </div>
    </>
  );
}
