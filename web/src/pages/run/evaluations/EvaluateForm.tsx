/** The form of an evaluation. A protocol decides about everything that makes a score comparable. */
import { useState } from "react";
import type { NewEvaluation, ProtocolVersion } from "@/api/types";
import type { Checkpoints } from "@/entities/artifacts/use-checkpoints";
import { readSpelledCode } from "@/entities/codes/words";
import { describeProtocol, spellProtocol } from "@/entities/protocols/words";
import { formatPlural } from "@/lib/format";
import { BEST, CheckpointSelect } from "@/panels/job-form/CheckpointSelect";
import { Button } from "@/ui/Button";
import { Slider } from "@/ui/Slider";
import { SwitchRow } from "@/ui/SwitchRow";
import { CodeSelect } from "./CodeSelect";
import { ProtocolSelect } from "./ProtocolSelect";

export interface EvaluateFormProps {
  envId: string;
  checkpoints: Checkpoints;
  isBusy: boolean;
  onSubmit: (wanted: NewEvaluation) => void;
}

export function EvaluateForm({ envId, checkpoints, isBusy, onSubmit }: EvaluateFormProps) {
  const [protocol, setProtocol] = useState<ProtocolVersion | null>(null);
  const [own, setOwn] = useState<OwnChoice>({ episodes: 10, deterministic: true, code: "" });
  const [checkpoint, setCheckpoint] = useState(BEST);
  const [record, setRecord] = useState(true);
  const submit = () =>
    onSubmit({
      ...(protocol ? { protocol: spellProtocol(protocol) } : chosen(own)),
      record,
      checkpoint: checkpoint === BEST ? null : checkpoint,
    } as NewEvaluation);
  return (
    <div className="flex flex-col gap-4 text-sm">
      <ProtocolSelect envId={envId} value={protocol} onChange={setProtocol} />
      {protocol ? (
        <p className="text-xs text-ink-2">{describeProtocol(protocol)}</p>
      ) : (
        <OwnChoices envId={envId} value={own} onChange={setOwn} />
      )}
      <CheckpointSelect
        label="Checkpoint"
        checkpoints={checkpoints}
        value={checkpoint}
        onChange={setCheckpoint}
      />
      <SwitchRow title="Make a video" checked={record} onChange={setRecord} />
      <Button kind="primary" icon="play" disabled={isBusy} reason={checkpoints.reason} onClick={submit}>
        {`Play ${formatPlural(protocol?.episodes ?? own.episodes, "episode")}`}
      </Button>
    </div>
  );
}

interface OwnChoice {
  episodes: number;
  deterministic: boolean;
  code: string;
}

const chosen = ({ code, ...own }: OwnChoice) => ({ ...own, code: code ? readSpelledCode(code) : null });

interface OwnChoicesProps {
  envId: string;
  value: OwnChoice;
  onChange: (value: OwnChoice) => void;
}

function OwnChoices({ envId, value, onChange }: OwnChoicesProps) {
  const { episodes, deterministic, code } = value;
  return (
    <>
      <div>
        <div className="flex justify-between">
          <span>Episodes</span>
          <span className="figures text-ink-2">{episodes}</span>
        </div>
        <Slider
          label="Episodes"
          value={episodes}
          min={1}
          max={100}
          step={1}
          onChange={(next) => onChange({ ...value, episodes: next })}
        />
      </div>
      <SwitchRow
        title="Always the best action"
        checked={deterministic}
        onChange={(next) => onChange({ ...value, deterministic: next })}
      />
      <CodeSelect envId={envId} value={code} onChange={(next) => onChange({ ...value, code: next })} />
    </>
  );
}
