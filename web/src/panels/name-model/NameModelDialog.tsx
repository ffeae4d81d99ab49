/** Names a checkpoint: a new model, or the next version of one. */
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { scoreText } from "@/entities/checkpoints/score";
import { checkpointName } from "@/entities/checkpoints/words";
import { modelsQuery } from "@/entities/models/queries";
import { useNameModel } from "@/entities/models/use-model-actions";
import { useStore } from "@/lib/store";
import { NoteField } from "@/panels/text-field/NoteField";
import { INPUT, TextField } from "@/panels/text-field/TextField";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ProblemNote } from "@/ui/states";
import { toast } from "@/ui/toasts";
import { type NamedCheckpoint, nameDialog } from "./dialog";
import { effectText, type NameDraft, nameProblem, namingOf, problemsOf } from "./draft";

const close = () => nameDialog.set(null);

export default function NameModelDialog() {
  const item = useStore(nameDialog);
  return (
    <Dialog open={item !== null} onOpenChange={close} title="Name this model">
      {item && <Form key={item.id} item={item} />}
    </Dialog>
  );
}

function Form({ item }: { item: NamedCheckpoint }) {
  const models = useQuery(modelsQuery).data ?? [];
  const [draft, setDraft] = useState<NameDraft>({ name: "", labels: "", note: "" });
  const named = useNameModel((model) => {
    close();
    toast(`Named ${model.name} v${model.versions[0]?.version ?? 1}.`);
  });
  const problems = problemsOf(named.error);
  const wrongName = nameProblem(draft.name) ?? problems.name;
  const change = (part: Partial<NameDraft>) => {
    named.reset();
    setDraft((before) => ({ ...before, ...part }));
  };
  const reason = draft.name.trim() === "" ? "Type a name first." : nameProblem(draft.name);
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!reason) named.mutate(namingOf(models, item.id, draft));
      }}
    >
      <p className="text-sm">
        {checkpointName(item)}
        <span className="figures ml-2 text-xs text-ink-2">
          {item.score ? `Return ${scoreText(item.score)}` : "No return measured yet"}
        </span>
      </p>
      <NameField
        value={draft.name}
        names={models.map((model) => model.name)}
        problem={wrongName}
        onChange={(name) => change({ name })}
      />
      <TextField
        label="Labels, separated by commas"
        value={draft.labels}
        placeholder="production, candidate"
        problem={problems.labels}
        onChange={(labels) => change({ labels })}
      />
      <NoteField label="Note on this version" value={draft.note} onChange={(note) => change({ note })} />
      {Object.keys(problems).length === 0 && <ProblemNote error={named.error} />}
      <div className="flex flex-wrap items-center gap-3 border-t pt-4">
        <p role="status" className="min-w-0 flex-1 text-xs text-ink-2">
          {effectText(models, draft)}
        </p>
        <Button onClick={close}>Cancel</Button>
        <Button kind="primary" type="submit" reason={reason} disabled={named.isPending}>
          Name it
        </Button>
      </div>
    </form>
  );
}

interface NameFieldProps {
  value: string;
  /** Of the models that there are, offered while typing. */
  names: readonly string[];
  problem: string | undefined;
  onChange: (name: string) => void;
}

function NameField({ value, names, problem, onChange }: NameFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="text-xs">
        Name
      </label>
      <input
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type in it
        autoFocus
        list={`${id}-names`}
        autoComplete="off"
        spellCheck={false}
        value={value}
        placeholder="lander"
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => onChange(event.target.value)}
        className={`${INPUT} mt-1`}
      />
      <datalist id={`${id}-names`}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <p id={`${id}-problem`} role={problem ? "alert" : undefined} className="text-xs text-warn">
        {problem}
      </p>
    </div>
  );
}
