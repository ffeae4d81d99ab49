/** Starts an evaluation: by a protocol, or with episodes, actions and code of one's own choice. */
import type { Run } from "@/api/types";
import { useCheckpoints } from "@/entities/artifacts/use-checkpoints";
import { useEvaluate } from "@/entities/evaluations/use-evaluations";
import { JobPopover } from "@/panels/job-form/JobPopover";
import { toast } from "@/ui/toasts";
import { EvaluateForm } from "./EvaluateForm";

export interface EvaluateButtonProps {
  run: Run;
  onStarted: (evaluation: Run) => void;
}

export function EvaluateButton({ run, onStarted }: EvaluateButtonProps) {
  return (
    <JobPopover title="Evaluate" action="Evaluate" icon="play" onStarted={onStarted}>
      {(started) => <NewEvaluationForm run={run} onStarted={started} />}
    </JobPopover>
  );
}

function NewEvaluationForm({ run, onStarted }: EvaluateButtonProps) {
  const checkpoints = useCheckpoints(run.id);
  const evaluate = useEvaluate(run.id, (made) => {
    if (made.config.kind === "evaluate") toast(`Evaluation started: ${made.config.episodes} episodes.`);
    onStarted(made);
  });
  return (
    <EvaluateForm
      envId={run.env_id ?? ""}
      checkpoints={checkpoints}
      isBusy={evaluate.isPending}
      onSubmit={evaluate.mutate}
    />
  );
}
