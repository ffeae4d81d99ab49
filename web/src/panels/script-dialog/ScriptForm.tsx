/** The command and, folded away, its options. */
import { type ReactNode, useId } from "react";
import { Select } from "@/ui/Select";
import { Switch } from "@/ui/Switch";
import type { ScriptDraft } from "./draft";

export interface ScriptFormProps {
  draft: ScriptDraft;
  onChange: (draft: ScriptDraft) => void;
}

const WANDB = [
  { value: "stand-in" as const, title: "Captured by the lab, no account" },
  { value: "offline" as const, title: "Real W&B, offline (sockets)" },
  { value: "online" as const, title: "Real W&B, with network" },
];

export function ScriptForm({ draft, onChange }: ScriptFormProps) {
  const set = (change: Partial<ScriptDraft>) => onChange({ ...draft, ...change });
  return (
    <>
      <Text
        label="Command"
        hint="As in a terminal on the lab’s machine, with absolute paths. The script is not changed; its episodes, metrics and files are captured."
        placeholder="python /home/me/train.py --seed 1"
        value={draft.line}
        onChange={(line) => set({ line })}
        autoFocus
      />
      <Row label="The program prints the lab’s protocol (any language)">
        <Switch
          label="The program prints the lab’s protocol"
          checked={draft.speaksProtocol}
          onChange={(speaksProtocol) => set({ speaksProtocol })}
        />
      </Row>
      <details className="rounded-sm border px-4 py-3">
        <summary className="label cursor-pointer text-ink-2">Options</summary>
        <div className="mt-4 flex flex-col gap-4">
          <Text
            label="Name"
            placeholder="taken from the script"
            value={draft.name}
            onChange={(name) => set({ name })}
          />
          <Text
            label="Environment"
            hint="Only needed where the lab cannot detect it, e.g. EnvPool."
            placeholder="detected"
            value={draft.envId}
            onChange={(envId) => set({ envId })}
          />
          <Text
            label="Working folder"
            hint="By default a new folder inside the run’s folder. The script may write to a folder you enter here."
            placeholder="the run’s own folder"
            value={draft.workdir}
            onChange={(workdir) => set({ workdir })}
          />
          <Variables value={draft.variables} onChange={(variables) => set({ variables })} />
          {!draft.speaksProtocol && (
            <Row label="Weights & Biases">
              <div className="w-60">
                <Select
                  label="Weights & Biases"
                  value={draft.wandb}
                  options={WANDB}
                  onChange={(wandb) => set({ wandb })}
                />
              </div>
            </Row>
          )}
          <Row label="May use the network">
            <Switch
              label="May use the network"
              checked={draft.network}
              onChange={(network) => set({ network })}
            />
          </Row>
        </div>
      </details>
    </>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4">
      <span className="text-sm">{label}</span>
      {children}
    </div>
  );
}

interface TextProps {
  label: string;
  hint?: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  autoFocus?: boolean;
}

function Text({ label, hint, placeholder, value, onChange, autoFocus }: TextProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="label text-ink-3">
        {label}
      </label>
      <input
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type in it
        autoFocus={autoFocus}
        spellCheck={false}
        autoComplete="off"
        value={value}
        placeholder={placeholder}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.value)}
        className="figures h-9 w-full rounded-sm border border-line-strong bg-surface px-3 text-xs placeholder:text-ink-3"
      />
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
    </div>
  );
}

function Variables({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="label text-ink-3">
        Variables
      </label>
      <textarea
        id={id}
        rows={2}
        spellCheck={false}
        value={value}
        placeholder={"NAME=VALUE, one per line"}
        onChange={(event) => onChange(event.target.value)}
        className="figures w-full rounded-sm border border-line-strong bg-surface px-3 py-2 text-xs placeholder:text-ink-3"
      />
    </div>
  );
}
