/** What further keys are for: chosen from a list, or typed where the list would be long. */
import { useState } from "react";
import { actionName, type Choice, type Controls, choicesOf } from "@/entities/plays/controls";
import { INPUT } from "@/panels/text-field/TextField";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Select";

export interface ChoiceProps {
  draft: Controls;
  onChoose: (choice: Choice) => void;
}

const NONE = "";

export function ListedChoice({ draft, names, onChoose }: ChoiceProps & { names: readonly string[] }) {
  const choices = choicesOf(draft);
  const titleOf = (choice: Choice) => {
    const name = choice.entry === null ? names[choice.action] : undefined;
    return name ? `${name} (${choice.action})` : actionName(choice);
  };
  return (
    <Select
      label="Add keys for an action"
      value={NONE}
      options={[
        { value: NONE, title: "For an action…" },
        ...choices.map((choice, i) => ({ value: String(i), title: titleOf(choice) })),
      ]}
      onChange={(at) => at !== NONE && onChoose(choices[Number(at)]!)}
    />
  );
}

export function TypedChoice({ draft, onChoose }: ChoiceProps) {
  const isMulti = draft.kind === "multi";
  const [entry, setEntry] = useState("0");
  const [action, setAction] = useState("");
  const range = draft.entries[isMulti ? Number(entry) : 0];
  const isFitting = range !== undefined && isWithin(action, range);
  return (
    <div className="flex items-center gap-2">
      {isMulti && <NumberField label="Entry of the action" value={entry} onChange={setEntry} />}
      <NumberField label={isMulti ? "Value" : "Number of the action"} value={action} onChange={setAction} />
      <Button
        small
        icon="plus"
        reason={
          isFitting
            ? null
            : range
              ? `Type a number from ${range.low} to ${range.high}.`
              : "There is no such entry."
        }
        onClick={() => onChoose({ action: Number(action), entry: isMulti ? Number(entry) : null })}
      >
        Add
      </Button>
    </div>
  );
}

const isWithin = (text: string, { low, high }: Controls["entries"][number]): boolean =>
  /^-?\d{1,9}$/.test(text.trim()) && Number(text) >= low && Number(text) <= high;

interface NumberFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

const NumberField = ({ label, value, onChange }: NumberFieldProps) => (
  <input
    inputMode="numeric"
    aria-label={label}
    placeholder={label}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    className={INPUT}
  />
);
