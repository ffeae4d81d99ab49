/** The keys of each action of a discrete space, or of the values of each entry of a composed one. */
import {
  actionName,
  type Choice,
  type Controls,
  choicesOf,
  labelOf,
  withAction,
  withKeys,
  withLabel,
  withoutKeys,
} from "@/entities/plays/controls";
import { INPUT } from "@/panels/text-field/TextField";
import { IconButton } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { ListedChoice, TypedChoice } from "./ChoiceOfKeys";
import { KeyChoice } from "./KeyChoice";

export interface RowsProps {
  draft: Controls;
  actionNames: readonly string[];
  onChange: (draft: Controls) => void;
}

const WAIT = "wait";

export function ActionRows({ draft, actionNames, onChange }: RowsProps) {
  const actions = actionsOf(draft, actionNames);
  const add = (choice: Choice) => onChange(withAction(draft, choice, nameOf(choice, actionNames)));
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-2">
        {draft.keys.map((entry, at) => (
          <li key={`${actionName(entry)} ${at}`} className="flex items-center gap-2">
            <KeyChoice
              label={labelOf(entry)}
              keys={entry.keys}
              onKeys={(keys) => onChange(withKeys(draft, at, keys))}
            />
            <input
              aria-label={`What ${actionName(entry)} does`}
              value={entry.label}
              maxLength={60}
              placeholder={actionName(entry)}
              onChange={(event) => onChange(withLabel(draft, at, event.target.value))}
              className={INPUT}
            />
            <span className="figures shrink-0 text-2xs text-ink-3">{actionName(entry)}</span>
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
          {choicesOf(draft).length > 0 ? (
            <ListedChoice draft={draft} names={actionNames} onChoose={add} />
          ) : (
            <TypedChoice draft={draft} onChoose={add} />
          )}
        </div>
        {draft.kind === "discrete" && (
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
        )}
      </div>
    </div>
  );
}

const nameOf = ({ action, entry }: Choice, names: readonly string[]): string =>
  entry === null ? (names[action] ?? "") : "";

/** Every action that is known: by the environment's names, or because it has keys. */
function actionsOf(draft: Controls, names: readonly string[]): [number, string][] {
  const known = new Map<number, string>(names.map((name, action) => [action, `${name} (${action})`]));
  for (const entry of draft.keys)
    if (!known.has(entry.action)) known.set(entry.action, `${labelOf(entry)} (${entry.action})`);
  for (const { action } of [...choicesOf(draft), ...(draft.rest === null ? [] : [{ action: draft.rest }])])
    if (!known.has(action)) known.set(action, `action ${action}`);
  return [...known].sort(([a], [b]) => a - b);
}
