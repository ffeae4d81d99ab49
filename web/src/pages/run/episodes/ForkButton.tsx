/** Forks the episode at the shown step: from there a checkpoint or random actions decide. */
import { useState } from "react";
import type { NewFork, Run } from "@/api/types";
import { type Checkpoints, useCheckpoints } from "@/entities/artifacts/use-checkpoints";
import { useStartFork } from "@/entities/episodes/use-fork";
import { formatCount } from "@/lib/format";
import { BEST, CheckpointSelect } from "@/panels/job-form/CheckpointSelect";
import { JobPopover } from "@/panels/job-form/JobPopover";
import { Button } from "@/ui/Button";
import { SwitchRow } from "@/ui/SwitchRow";
import { toast } from "@/ui/toasts";

export interface ForkButtonProps {
  run: Run;
  episode: number;
  step: number;
  onForked: (fork: Run) => void;
}

export function ForkButton(props: ForkButtonProps) {
  return (
    <JobPopover title="Fork the episode" action="Fork" icon="fork" onStarted={props.onForked}>
      {(started) => <NewForkForm {...props} onForked={started} />}
    </JobPopover>
  );
}

function NewForkForm({ run, episode, step, onForked }: ForkButtonProps) {
  const checkpoints = useCheckpoints(run.id);
  const fork = useStartFork(run.id, episode, (made) => {
    toast(`Forked at step ${formatCount(step)}. It plays next to this episode as soon as it is done.`);
    onForked(made);
  });
  return <ForkForm checkpoints={checkpoints} step={step} isBusy={fork.isPending} onSubmit={fork.mutate} />;
}

const RANDOM = "random";

interface FormProps {
  checkpoints: Checkpoints;
  step: number;
  isBusy: boolean;
  onSubmit: (wanted: NewFork) => void;
}

function ForkForm({ checkpoints, step, isBusy, onSubmit }: FormProps) {
  const [policy, setPolicy] = useState<string>(BEST);
  const [deterministic, setDeterministic] = useState(true);
  const isNamed = policy !== RANDOM && policy !== BEST;
  const submit = () =>
    onSubmit({
      step,
      policy: policy === RANDOM ? "random" : "checkpoint",
      checkpoint: isNamed ? policy : null,
      deterministic,
    });
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p className="text-ink-2">
        Everything up to step <span className="figures text-ink">{formatCount(step)}</span> stays as it was.
        What decides from there on?
      </p>
      <CheckpointSelect
        label="What decides from there on"
        checkpoints={checkpoints}
        value={policy}
        others={[{ value: RANDOM, title: "Random actions" }]}
        onChange={setPolicy}
      />
      {policy !== RANDOM && (
        <SwitchRow title="Always the best action" checked={deterministic} onChange={setDeterministic} />
      )}
      <Button
        kind="primary"
        icon="fork"
        disabled={isBusy}
        reason={policy === BEST ? checkpoints.reason : null}
        onClick={submit}
      >
        {`Fork at step ${formatCount(step)}`}
      </Button>
    </div>
  );
}
