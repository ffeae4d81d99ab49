/** Saves the code: under a new name, or as the next version of the one that is open. */
import { type FormEvent, useState } from "react";
import type { Code, CodeVersion } from "@/api/types";
import type { SavedKind } from "@/entities/codes/queries";
import { useSaveCode } from "@/entities/codes/use-code-actions";
import { nameProblem, problemsOf } from "@/panels/name-model/draft";
import { FormButtons } from "@/panels/text-field/FormButtons";
import { TextField } from "@/panels/text-field/TextField";
import { ProblemNote } from "@/ui/states";

export interface SaveFormProps {
  kind: SavedKind;
  source: string;
  envId: string;
  /** The name that is open; null for something new. */
  name: string | null;
  /** All saved code of this kind; null while it is not known. */
  known: readonly Code[] | null;
  onSaved: (saved: CodeVersion) => void;
  onCancel: () => void;
}

export function SaveForm({ kind, source, envId, name: open, known, onSaved, onCancel }: SaveFormProps) {
  const [name, setName] = useState(open ?? "");
  const [note, setNote] = useState("");
  const save = useSaveCode(kind, onSaved);
  const typed = name.trim();
  const problems = problemsOf(save.error);
  const rename = (next: string) => {
    save.reset();
    setName(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === "" || nameProblem(typed)) return;
    save.mutate({ name: typed, source, env_id: envId, note: note.trim() });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 p-5">
      <TextField label="Name" value={name} problem={nameProblem(typed) ?? problems.name} onChange={rename} />
      <TextField
        label="What changed (optional)"
        value={note}
        placeholder="gentler touchdown"
        onChange={setNote}
      />
      <p className="text-xs text-ink-2">{effectOf(known, typed)}</p>
      {!problems.name && <ProblemNote error={save.error} />}
      <FormButtons
        isDisabled={save.isPending || typed === "" || nameProblem(typed) !== null}
        onCancel={onCancel}
      />
    </form>
  );
}

/** "Becomes gentle@v3." */
function effectOf(known: readonly Code[] | null, name: string): string {
  if (name === "") return "Type a new name, or the name of a saved one to add a version to it.";
  if (known === null) return `Becomes ${name}@v1, or the next version if there is one of this name.`;
  const code = known.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (!code) return `Becomes ${name}@v1.`;
  const next = Math.max(...code.versions.map(({ version }) => version)) + 1;
  return `Becomes ${code.name}@v${next}; older versions stay. The contents of an older version make no new one.`;
}
