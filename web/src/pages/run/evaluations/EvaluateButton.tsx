/** Starts an evaluation: by a protocol, or with one's own choice; of a play its recorded episodes are measured. */
import type { Run } from "@/api/types";
import { useCheckpoints } from "@/entities/artifacts/use-checkpoints";
import { useEvaluate } from "@/entities/evaluations/use-evaluations";
import { formatPlural } from "@/lib/format";
import { JobPopover } from "@/panels/job-form/JobPopover";
import { toast } from "@/ui/toasts";
import { EvaluateForm } from "./EvaluateForm";
import { EvaluatePlayForm } from "./EvaluatePlayForm";

export interface EvaluateButtonProps {
  run: Run;
  onStarted: (evaluation: Run) => void;
}

export function EvaluateButton({ run, onStarted }: EvaluateButtonProps) {
  return (
    <JobPopover title="Evaluate" action="Evaluate" icon="play" onStarted={onStarted}>
      {(started) =>
        run.kind === "play" ? (
          <PlayForm run={run} onStarted={started} />
        ) : (
          <NewEvaluationForm run={run} onStarted={started} />
        )
      }
    </JobPopover>
  );
}

function NewEvaluationForm({ run, onStarted }: EvaluateButtonProps) {
  const checkpoints = useCheckpoints(run.id);
  const evaluate = useStarted(run, onStarted);
  return (
    <EvaluateForm
      envId={run.env_id ?? ""}
      checkpoints={checkpoints}
      isBusy={evaluate.isPending}
      onSubmit={evaluate.mutate}
    />
  );
}

function PlayForm({ run, onStarted }: EvaluateButtonProps) {
  const evaluate = useStarted(run, onStarted);
  return <EvaluatePlayForm envId={run.env_id ?? ""} isBusy={evaluate.isPending} onSubmit={evaluate.mutate} />;
}

const useStarted = (run: Run, onStarted: (evaluation: Run) => void) =>
  useEvaluate(run.id, (made) => {
    if (made.config.kind === "evaluate")
      toast(`Evaluation started: ${formatPlural(made.config.episodes ?? 0, "episode")}.`);
    onStarted(made);
  });
