/** Leave the episode here: go on from this very step with a checkpoint, or at random. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Run } from "@/api/types";
import { artifactsQuery } from "@/entities/artifacts/queries";
import { createFork } from "@/entities/episodes/queries";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Popover } from "@/ui/Popover";
import { Select } from "@/ui/Select";
import { Switch } from "@/ui/Switch";
import { toast } from "@/ui/toasts";

export interface ForkButtonProps {
  run: Run;
  episode: number;
  step: number;
  onForked: (fork: Run) => void;
}

export function ForkButton({ run, episode, step, onForked }: ForkButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const done = (fork: Run) => {
    setIsOpen(false);
    onForked(fork);
  };
  return (
    <Popover
      title="Fork the episode"
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button small icon="fork">
          Fork
        </Button>
      }
    >
      <ForkForm run={run} episode={episode} step={step} onForked={done} />
    </Popover>
  );
}

const NEWEST = "newest";
const RANDOM = "random";

function ForkForm({ run, episode, step, onForked }: ForkButtonProps) {
  const artifacts = useQuery(artifactsQuery(run.id));
  const [policy, setPolicy] = useState<string>(NEWEST);
  const [deterministic, setDeterministic] = useState(true);
  const checkpoints = (artifacts.data ?? []).filter((artifact) => artifact.kind === "checkpoint");
  const ask = useMutation({
    mutationFn: () =>
      createFork(run.id, episode, {
        step,
        policy: policy === RANDOM ? "random" : "checkpoint",
        checkpoint: policy === RANDOM || policy === NEWEST ? null : policy,
        deterministic,
      }),
    onSuccess: (fork) => {
      toast(`Forked at step ${formatCount(step)}. It plays beside this episode as soon as it is done.`);
      onForked(fork);
    },
  });
  const none = artifacts.isSuccess && checkpoints.length === 0 ? "This run has no checkpoint yet." : null;
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p className="text-ink-2">
        Everything up to step <span className="figures text-ink">{formatCount(step)}</span> stays as it was.
        What decides from there on?
      </p>
      <Select
        label="What goes on"
        value={policy}
        options={[
          { value: NEWEST, title: "Newest checkpoint", reason: none },
          ...checkpoints.map((artifact) => ({
            value: artifact.id,
            title: `Step ${formatCount(artifact.timestep)}${artifact.role ? ` · ${artifact.role}` : ""}`,
          })),
          { value: RANDOM, title: "Random actions" },
        ]}
        onChange={setPolicy}
      />
      {policy !== RANDOM && (
        <div className="flex items-center justify-between">
          <span>Always the best action</span>
          <Switch label="Always the best action" checked={deterministic} onChange={setDeterministic} />
        </div>
      )}
      <Button
        kind="primary"
        icon="fork"
        disabled={ask.isPending}
        reason={policy === NEWEST ? none : null}
        onClick={() => ask.mutate()}
      >
        {`Fork at step ${formatCount(step)}`}
      </Button>
    </div>
  );
}
