/** What a model file holds, and what the user decides: environment, name, and whether a program may run. */
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { ImportChoices, ImportPreview } from "@/api/types";
import { environmentsQuery } from "@/entities/environments/queries";
import { formatBytes, formatCount, formatNumber } from "@/lib/format";
import { Button } from "@/ui/Button";
import { SwitchRow } from "@/ui/SwitchRow";

const FORMS: Record<ImportPreview["form"], string> = {
  sb3: "Stable-Baselines3",
  turbo: "Turbo",
  cleanrl: "CleanRL",
  onnx: "ONNX, evaluation only",
  torchscript: "TorchScript, evaluation only",
};
const FIELD = "h-9 w-full rounded-sm border border-line-strong bg-surface px-3 text-sm";

export interface ImportModelFormProps {
  preview: ImportPreview;
  isImporting: boolean;
  onImport: (choices: ImportChoices) => void;
}

export function ImportModelForm({ preview, isImporting, onImport }: ImportModelFormProps) {
  const [envId, setEnvId] = useState(preview.env_id ?? "");
  const [name, setName] = useState("");
  const [isApproved, setApproved] = useState(false);
  const reason = whyNot(preview, envId, isApproved);
  const choices: ImportChoices = {
    env_id: envId.trim() || null,
    name: name.trim() || null,
    consent: preview.needs_consent && isApproved ? preview.sha256 : null,
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!reason) onImport(choices);
      }}
    >
      <Facts preview={preview} />
      <EnvironmentField value={envId} onChange={setEnvId} isNamed={Boolean(preview.env_id)} />
      <NameField value={name} onChange={setName} />
      {preview.needs_consent && (
        <div className="flex flex-col gap-2 rounded-sm border border-warn p-3">
          <p className="text-sm">
            This file is a program: its code runs whenever the lab loads it. It runs confined, without network
            and without your files. Approve it only if you know where it comes from.
          </p>
          <p className="figures text-2xs break-all text-ink-3">{`SHA-256 ${preview.sha256}`}</p>
          <SwitchRow title="I approve this file" checked={isApproved} onChange={setApproved} />
        </div>
      )}
      <div className="flex items-center gap-3 border-t pt-4">
        <p className="min-w-0 flex-1 text-xs text-ink-2">
          {preview.needs_consent
            ? "It becomes a run that can be evaluated, compared and filmed."
            : "The file is read as data; no code in it is executed. It becomes a run with one checkpoint."}
        </p>
        <Button kind="primary" icon="plus" type="submit" reason={reason} disabled={isImporting}>
          {isImporting ? "Importing…" : "Import"}
        </Button>
      </div>
    </form>
  );
}

/** Why it cannot be imported yet; null: it can. */
export function whyNot(preview: ImportPreview, envId: string, isApproved: boolean): string | null {
  if (!envId.trim()) return "Choose the environment it was trained in.";
  return preview.needs_consent && !isApproved ? "A program must be approved first." : null;
}

function Facts({ preview }: { preview: ImportPreview }) {
  const { claim } = preview;
  const spread = claim?.std != null ? ` ± ${formatNumber(claim.std)}` : "";
  const facts: [string, string][] = [
    ["File", `${preview.file}, ${formatBytes(preview.size)}`],
    ["Form", FORMS[preview.form]],
    ["Algorithm", preview.algorithm === "policy" ? "not named" : preview.algorithm.toUpperCase()],
    ["Takes", preview.observation ?? ""],
    ["Gives", preview.action ?? ""],
  ];
  if (preview.timesteps) facts.push(["Trained", `${formatCount(preview.timesteps)} steps`]);
  if (claim) facts.push(["Claimed return", `${formatNumber(claim.mean)}${spread}, not measured by this lab`]);
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {facts.map(([title, text]) => (
          <div key={title} className="contents">
            <dt className="text-ink-3">{title}</dt>
            <dd className="min-w-0 break-words">{text}</dd>
          </div>
        ))}
      </dl>
      {(preview.notes ?? []).map((note) => (
        <p key={note} className="text-xs text-warn">
          {note}
        </p>
      ))}
    </>
  );
}

interface EnvironmentFieldProps {
  value: string;
  onChange: (value: string) => void;
  isNamed: boolean;
}

function EnvironmentField({ value, onChange, isNamed }: EnvironmentFieldProps) {
  const id = useId();
  const environments = useQuery(environmentsQuery).data ?? [];
  return (
    <label htmlFor={id} className="flex flex-col gap-1 text-sm">
      Environment
      <input
        id={id}
        className={FIELD}
        list={`${id}-known`}
        value={value}
        required
        spellCheck={false}
        autoComplete="off"
        placeholder="CartPole-v1"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={`${id}-known`}>
        {environments.map((environment) => (
          <option key={environment.id} value={environment.id} />
        ))}
      </datalist>
      {!isNamed && (
        <span className="text-xs text-ink-2">The file does not name it. Its spaces must fit the model.</span>
      )}
    </label>
  );
}

function NameField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex flex-col gap-1 text-sm">
      Name of the run
      <input
        id={id}
        className={FIELD}
        value={value}
        maxLength={200}
        placeholder="named after its file or repository"
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
