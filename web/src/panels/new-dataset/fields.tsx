/** Fields that the ways to a new dataset share. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { datasetsQuery } from "@/entities/datasets/queries";
import { environmentsQuery } from "@/entities/environments/queries";
import { nameProblem } from "@/panels/name-model/draft";
import { INPUT, TextField } from "@/panels/text-field/TextField";
import type { MadeDraft } from "./draft";

export interface MadeFieldsProps {
  draft: MadeDraft;
  placeholder?: string;
  problems: Record<string, string>;
  onChange: (change: Partial<MadeDraft>) => void;
}

/** Name, licence and note. A name that exists gets the next version. */
export function MadeFields({ draft, placeholder, problems, onChange }: MadeFieldsProps) {
  const datasets = useQuery(datasetsQuery).data ?? [];
  const same = datasets.find(({ name }) => name.toLowerCase() === draft.name.trim().toLowerCase());
  const next = Math.max(0, ...(same?.versions ?? []).map(({ version }) => version)) + 1;
  return (
    <div className="grid gap-x-4 gap-y-3 border-t pt-4 sm:grid-cols-2">
      <div>
        <ListField
          label="Name of the dataset"
          value={draft.name}
          choices={datasets.map(({ name }) => name)}
          placeholder={placeholder || "lander-expert"}
          problem={nameProblem(draft.name) ?? problems.name}
          onChange={(name) => onChange({ name })}
        />
        {same && <p className="text-xs text-ink-2">{`It exists: this becomes version ${next}.`}</p>}
      </div>
      <TextField
        label="Licence (optional)"
        value={draft.licence}
        placeholder="CC-BY-4.0"
        problem={problems.licence}
        onChange={(licence) => onChange({ licence })}
      />
      <div className="sm:col-span-2">
        <TextField
          label="Note (optional)"
          value={draft.note}
          problem={problems.note}
          onChange={(note) => onChange({ note })}
        />
      </div>
    </div>
  );
}

export interface ListFieldProps {
  label: string;
  value: string;
  choices: readonly string[];
  placeholder?: string;
  problem?: string;
  onChange: (value: string) => void;
}

/** A text box that offers what there is. */
export function ListField({ label, value, choices, placeholder, problem, onChange }: ListFieldProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="text-xs">
        {label}
      </label>
      <input
        id={id}
        list={`${id}-choices`}
        value={value}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => onChange(event.target.value)}
        className={`${INPUT} mt-1`}
      />
      <datalist id={`${id}-choices`}>
        {choices.map((choice) => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
      <p id={`${id}-problem`} role={problem ? "alert" : undefined} className="text-xs text-warn">
        {problem}
      </p>
    </div>
  );
}

export interface EnvironmentFieldProps {
  label?: string;
  value: string;
  placeholder: string;
  problem?: string;
  onChange: (envId: string) => void;
}

export function EnvironmentField({ label = "Environment", ...props }: EnvironmentFieldProps) {
  const environments = useQuery(environmentsQuery).data ?? [];
  return <ListField {...props} label={label} choices={environments.map(({ id }) => id)} />;
}

export function Labelled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="mb-1 text-xs leading-6">{title}</p>
      {children}
    </div>
  );
}
