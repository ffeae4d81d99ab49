/** Starts an evaluation: how many episodes, with which checkpoint, sampled or not. */
import { useState } from "react";
import type { NewEvaluation, Run } from "@/api/types";
import { type Checkpoints, useCheckpoints } from "@/entities/artifacts/use-checkpoints";
import { useEvaluate } from "@/entities/evaluations/use-evaluations";
import { BEST, CheckpointSelect } from "@/panels/job-form/CheckpointSelect";
import { JobPopover } from "@/panels/job-form/JobPopover";
import { Button } from "@/ui/Button";
import { Slider } from "@/ui/Slider";
import { SwitchRow } from "@/ui/SwitchRow";
import { toast } from "@/ui/toasts";

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
  return <EvaluateForm checkpoints={checkpoints} isBusy={evaluate.isPending} onSubmit={evaluate.mutate} />;
}

interface FormProps {
  checkpoints: Checkpoints;
  isBusy: boolean;
  onSubmit: (wanted: NewEvaluation) => void;
}

function EvaluateForm({ checkpoints, isBusy, onSubmit }: FormProps) {
  const [episodes, setEpisodes] = useState(10);
  const [checkpoint, setCheckpoint] = useState(BEST);
  const [deterministic, setDeterministic] = useState(true);
  const [record, setRecord] = useState(true);
  const submit = () =>
    onSubmit({
      episodes,
      deterministic,
      record,
      checkpoint: checkpoint === BEST ? null : checkpoint,
    });
  return (
    <div className="flex flex-col gap-4 text-sm">
      <div>
        <div className="flex justify-between">
          <span>Episodes</span>
          <span className="figures text-ink-2">{episodes}</span>
        </div>
        <Slider label="Episodes" value={episodes} min={1} max={100} step={1} onChange={setEpisodes} />
      </div>
      <CheckpointSelect
        label="Checkpoint"
        checkpoints={checkpoints}
        value={checkpoint}
        onChange={setCheckpoint}
      />
      <SwitchRow title="Always the best action" checked={deterministic} onChange={setDeterministic} />
      <SwitchRow title="Make a video" checked={record} onChange={setRecord} />
      <Button kind="primary" icon="play" disabled={isBusy} reason={checkpoints.reason} onClick={submit}>
        {`Play ${episodes} episodes`}
      </Button>
    </div>
  );
}
