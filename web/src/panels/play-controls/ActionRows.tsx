/** The keys of each action of a discrete space. */
import {
  type Controls,
  labelOf,
  withAction,
  withKeys,
  withLabel,
  withoutKeys,
} from "@/entities/plays/controls";
import { INPUT } from "@/panels/text-field/TextField";
import { IconButton } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { KeyChoice } from "./KeyChoice";

export interface RowsProps {
  draft: Controls;
  actionNames: readonly string[];
  onChange: (draft: Controls) => void;
}

const WAIT = "wait";
const NONE = "";

export function ActionRows({ draft, actionNames, onChange }: RowsProps) {
  const actions = actionsOf(draft, actionNames);
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-2">
        {draft.keys.map((entry, at) => (
          <li key={`${entry.action} ${at}`} className="flex items-center gap-2">
            <KeyChoice
              label={labelOf(entry)}
              keys={entry.keys}
              onKeys={(keys) => onChange(withKeys(draft, at, keys))}
            />
            <input
              aria-label={`What action ${entry.action} does`}
              value={entry.label}
              maxLength={60}
              placeholder={`action ${entry.action}`}
              onChange={(event) => onChange(withLabel(draft, at, event.target.value))}
              className={INPUT}
            />
            <span className="figures shrink-0 text-2xs text-ink-3">{`action ${entry.action}`}</span>
            <IconButton
              icon="close"
              label={`Remove these keys of ${labelOf(entry)}`}
              onClick={() => onChange(withoutKeys(draft, at))}
            />
          </li>
        ))}
      </ul>
      <div className="grid gap-3 sm:grid-cols-2">
        <div className="flex flex-col gap-1 text-xs">
          <span aria-hidden>Add keys</span>
          <Select
            label="Add keys for an action"
            value={NONE}
            options={[
              { value: NONE, title: "For an action…" },
              ...actions.map(([action, label]) => ({ value: String(action), title: label })),
            ]}
            onChange={(action) =>
              action !== NONE &&
              onChange(withAction(draft, Number(action), actionNames[Number(action)] ?? ""))
            }
          />
        </div>
        <div className="flex flex-col gap-1 text-xs">
          <span aria-hidden>When nothing is held</span>
          <Select
            label="When nothing is held"
            value={draft.rest === null ? WAIT : String(draft.rest)}
            options={[
              { value: WAIT, title: "Wait for a key" },
              ...actions.map(([action, label]) => ({ value: String(action), title: label })),
            ]}
            onChange={(rest) => onChange({ ...draft, rest: rest === WAIT ? null : Number(rest) })}
          />
        </div>
      </div>
    </div>
  );
}

/** Every action that is known: by the environment's names, or because it has keys. */
function actionsOf({ keys, rest }: Controls, names: readonly string[]): [number, string][] {
  const known = new Map<number, string>(names.map((name, action) => [action, `${name} (${action})`]));
  for (const entry of keys)
    if (!known.has(entry.action)) known.set(entry.action, `${labelOf(entry)} (${entry.action})`);
  if (rest !== null && !known.has(rest)) known.set(rest, `action ${rest}`);
  return [...known].sort(([a], [b]) => a - b);
}
