/** Starts an evaluation: how many episodes, with which checkpoint, sampled or not. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Run } from "@/api/types";
import { artifactsQuery } from "@/entities/artifacts/queries";
import { createEvaluation } from "@/entities/evaluations/queries";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Popover } from "@/ui/Popover";
import { Select } from "@/ui/Select";
import { Slider } from "@/ui/Slider";
import { Switch } from "@/ui/Switch";
import { toast } from "@/ui/toasts";

export function EvaluateButton({ run, onStarted }: { run: Run; onStarted: (made: Run) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const done = (made: Run) => {
    setIsOpen(false);
    onStarted(made);
  };
  return (
    <Popover
      title="Evaluate"
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button small icon="play">
          Evaluate
        </Button>
      }
    >
      <EvaluateForm run={run} onStarted={done} />
    </Popover>
  );
}

const NEWEST = "newest";

function EvaluateForm({ run, onStarted }: { run: Run; onStarted: (made: Run) => void }) {
  const client = useQueryClient();
  const artifacts = useQuery(artifactsQuery(run.id));
  const [episodes, setEpisodes] = useState(10);
  const [checkpoint, setCheckpoint] = useState(NEWEST);
  const [deterministic, setDeterministic] = useState(true);
  const [record, setRecord] = useState(true);
  const checkpoints = (artifacts.data ?? []).filter((artifact) => artifact.kind === "checkpoint");
  const none = artifacts.isSuccess && checkpoints.length === 0 ? "This run has no checkpoint yet." : null;
  const ask = useMutation({
    mutationFn: () =>
      createEvaluation(run.id, {
        episodes,
        deterministic,
        record,
        checkpoint: checkpoint === NEWEST ? null : checkpoint,
      }),
    onSuccess: async (made) => {
      toast(`Evaluation started: ${episodes} episodes.`);
      await refresh(client, keys.evaluations(run.id));
      onStarted(made);
    },
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
      <Select
        label="Checkpoint"
        value={checkpoint}
        options={[
          { value: NEWEST, title: "Newest checkpoint" },
          ...checkpoints.map((artifact) => ({
            value: artifact.id,
            title: `Step ${formatCount(artifact.timestep)}${artifact.role ? ` · ${artifact.role}` : ""}`,
          })),
        ]}
        onChange={setCheckpoint}
      />
      <Row title="Always the best action" checked={deterministic} onChange={setDeterministic} />
      <Row title="Make a video" checked={record} onChange={setRecord} />
      <Button kind="primary" icon="play" disabled={ask.isPending} reason={none} onClick={() => ask.mutate()}>
        {`Play ${episodes} episodes`}
      </Button>
    </div>
  );
}

function Row({
  title,
  checked,
  onChange,
}: {
  title: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <div className="flex items-center justify-between">
      <span>{title}</span>
      <Switch label={title} checked={checked} onChange={onChange} />
    </div>
  );
}
