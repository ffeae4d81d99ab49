/** The form of an evaluation. A protocol decides about everything that makes a score comparable. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { NewEvaluation, ProtocolVersion, SavedProtocol } from "@/api/types";
import type { Checkpoints } from "@/entities/artifacts/use-checkpoints";
import { codesQuery } from "@/entities/codes/queries";
import { readSpelledCode, spellCode } from "@/entities/codes/words";
import { protocolsQuery } from "@/entities/protocols/queries";
import { describeProtocol, spellProtocol } from "@/entities/protocols/words";
import { formatPlural } from "@/lib/format";
import { BEST, CheckpointSelect } from "@/panels/job-form/CheckpointSelect";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { Slider } from "@/ui/Slider";
import { SwitchRow } from "@/ui/SwitchRow";
import { LoadFailed } from "@/ui/states";

const NONE = "";

export interface EvaluateFormProps {
  envId: string;
  checkpoints: Checkpoints;
  isBusy: boolean;
  onSubmit: (wanted: NewEvaluation) => void;
}

export function EvaluateForm({ envId, checkpoints, isBusy, onSubmit }: EvaluateFormProps) {
  const saved = useQuery(protocolsQuery);
  const protocols = fitting(saved.data ?? [], envId);
  const [named, setNamed] = useState(NONE);
  const [own, setOwn] = useState<OwnChoice>({ episodes: 10, deterministic: true, code: NONE });
  const [checkpoint, setCheckpoint] = useState(BEST);
  const [record, setRecord] = useState(true);
  const protocol = protocols.find((one) => spellProtocol(one) === named);
  const submit = () =>
    onSubmit({
      ...(protocol ? { protocol: named } : chosen(own)),
      record,
      checkpoint: checkpoint === BEST ? null : checkpoint,
    } as NewEvaluation);
  return (
    <div className="flex flex-col gap-4 text-sm">
      <Select
        label="Protocol"
        value={protocol ? named : NONE}
        options={[
          { value: NONE, title: "No protocol" },
          ...protocols.map((one) => ({ value: spellProtocol(one), title: spellProtocol(one) })),
        ]}
        onChange={setNamed}
      />
      {saved.isError && (
        <LoadFailed what="protocols" error={saved.error} onRetry={() => void saved.refetch()} />
      )}
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
  const codes = useQuery(codesQuery("evaluation", envId));
  const versions = (codes.data ?? []).flatMap((one) => one.versions).map(spellCode);
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
      {codes.isError && (
        <LoadFailed what="evaluation code" error={codes.error} onRetry={() => void codes.refetch()} />
      )}
      {versions.length > 0 && (
        <Select
          label="Evaluation code"
          value={code}
          options={[
            { value: NONE, title: "No evaluation code" },
            ...versions.map((spelled) => ({ value: spelled, title: spelled })),
          ]}
          onChange={(next) => onChange({ ...value, code: next })}
        />
      )}
    </>
  );
}

/** All versions that fit the environment, the newest of each first. */
const fitting = (saved: readonly SavedProtocol[], envId: string): ProtocolVersion[] =>
  saved.flatMap(({ versions }) => versions).filter(({ env_id }) => !env_id || env_id === envId);
