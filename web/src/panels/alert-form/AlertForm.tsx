/** “Tell me when”: a condition, the runs it is about, and what happens besides the message in the page. */
import { type FormEvent, useState } from "react";
import type { Alert } from "@/api/types";
import { useSaveAlert } from "@/entities/alerts/use-alert-actions";
import { DraftNote } from "@/panels/kept-draft/DraftNote";
import { useKeptDraft } from "@/panels/kept-draft/use-kept-draft";
import { TextField } from "@/panels/text-field/TextField";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { SwitchRow } from "@/ui/SwitchRow";
import { ProblemNote } from "@/ui/states";
import {
  type AlertDraft,
  COMPARISONS,
  needsValue,
  problemsIn,
  reasonAgainst,
  requestOf,
  type ScopeKind,
} from "./alert-draft";

export interface AlertFormProps {
  first: AlertDraft;
  onSaved: (saved: Alert) => void;
  onCancel: () => void;
}

interface PartProps {
  draft: AlertDraft;
  onChange: (change: Partial<AlertDraft>) => void;
}

export function AlertForm({ first, onSaved, onCancel }: AlertFormProps) {
  const { draft, isChanged, onChange, drop } = useAlertDraft(first);
  const save = useSaveAlert(first.id, (saved) => {
    drop();
    onSaved(saved);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reasonAgainst(draft) === null) save.mutate(requestOf(draft));
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <ConditionFields draft={draft} onChange={onChange} />
      <ScopeFields draft={draft} onChange={onChange} />
      <ActionFields draft={draft} onChange={onChange} />
      <TextField
        label="Name in messages"
        value={draft.name}
        placeholder="the condition"
        onChange={(name) => onChange({ name })}
      />
      <DraftNote isChanged={isChanged} drop={drop} />
      <ProblemNote error={save.error} />
      <div className="flex justify-end gap-3">
        <Button
          onClick={() => {
            drop();
            onCancel();
          }}
        >
          Cancel
        </Button>
        <Button kind="primary" type="submit" disabled={save.isPending} reason={reasonAgainst(draft)}>
          Save
        </Button>
      </div>
    </form>
  );
}

/** What was typed is kept; the approval of a command is not: it is given again for what is shown. */
function useAlertDraft(first: AlertDraft) {
  const { draft: kept, isChanged, setDraft, drop } = useKeptDraft(`alert.${first.id ?? "new"}`, first);
  const [isApproved, setApproved] = useState(first.isApproved && kept.command === first.command);
  const draft = { ...kept, isApproved };
  const onChange = ({ isApproved: approval = isApproved, ...change }: Partial<AlertDraft>) => {
    setApproved(approval);
    if (Object.keys(change).length > 0) setDraft({ ...kept, ...change });
  };
  return { draft, isChanged, onChange, drop };
}

const ENDS = ["", "succeeded", "failed", "stopped", "lost"];

/** The single ends, and the one that is chosen: the command line takes several at once. */
const endsWith = (chosen: string) =>
  [...new Set([...ENDS, chosen])].map((value) => ({
    value,
    title: value === "" ? "in any way" : `as ${value.replaceAll(",", " or ")}`,
  }));

function ConditionFields({ draft, onChange }: PartProps) {
  const problems = problemsIn(draft);
  const hasEnded = draft.comparison === "ended";
  return (
    <fieldset className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2">
      <legend className="label mb-1 text-ink-3">When</legend>
      {!hasEnded && (
        <TextField
          label="Metric or expression"
          value={draft.expression}
          placeholder="return"
          onChange={(expression) => onChange({ expression })}
        />
      )}
      <div className="pt-5">
        <Select
          label="Comparison"
          value={draft.comparison}
          options={COMPARISONS}
          onChange={(comparison) => onChange({ comparison })}
        />
      </div>
      {hasEnded && (
        <div className="pt-5">
          <Select
            label="Ended"
            value={draft.status}
            options={endsWith(draft.status)}
            onChange={(status) => onChange({ status })}
          />
        </div>
      )}
      {needsValue(draft) && (
        <TextField
          label="Value"
          value={draft.value}
          problem={problems.value}
          onChange={(value) => onChange({ value })}
        />
      )}
      {!hasEnded && (
        <TextField
          label="Points in a row"
          value={draft.points}
          problem={problems.points}
          onChange={(points) => onChange({ points })}
        />
      )}
    </fieldset>
  );
}

const SCOPES: { value: ScopeKind; title: string }[] = [
  { value: "all", title: "All trainings" },
  { value: "run_id", title: "One run, by its id" },
  { value: "env_id", title: "Trainings in an environment" },
  { value: "tag", title: "Trainings with a tag" },
  { value: "study_id", title: "Trainings of a study, by its id" },
];

function ScopeFields({ draft, onChange }: PartProps) {
  return (
    <fieldset className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2">
      <legend className="label mb-1 text-ink-3">For</legend>
      <div className="pt-5">
        <Select
          label="Which runs"
          value={draft.scope}
          options={SCOPES}
          onChange={(scope) => onChange({ scope, scopeValue: "" })}
        />
      </div>
      {draft.scope !== "all" && (
        <TextField
          label="Which one"
          value={draft.scopeValue}
          onChange={(scopeValue) => onChange({ scopeValue })}
        />
      )}
    </fieldset>
  );
}

/** A command is executed by the lab, so it is shown and approved. */
function ActionFields({ draft, onChange }: PartProps) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="label mb-1 text-ink-3">Then, besides a message in the page</legend>
      <TextField
        label="Execute a command, not through a shell; RL_LAB_ALERT_* variables hold what happened"
        value={draft.command}
        placeholder="notify-send 'RL Lab' 'it is good'"
        problem={problemsIn(draft).command}
        onChange={(command) => onChange({ command, isApproved: false })}
      />
      {draft.command.trim() !== "" && (
        <SwitchRow
          title="I have read this command. The lab may execute it under its own account, not confined."
          checked={draft.isApproved}
          onChange={(isApproved) => onChange({ isApproved })}
        />
      )}
      <TextField
        label="Send the details as JSON to an address on this machine"
        value={draft.webhook}
        placeholder="http://127.0.0.1:9000/hook"
        onChange={(webhook) => onChange({ webhook })}
      />
    </fieldset>
  );
}
