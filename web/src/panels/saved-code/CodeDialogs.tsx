/** The dialogs of saved code: save, rename, delete. */
import { type FormEvent, useState } from "react";
import type { Code, CodeVersion } from "@/api/types";
import { draftKey, draftKeys, hasDraft } from "@/entities/codes/drafts";
import type { SavedKind } from "@/entities/codes/queries";
import { useDeleteCode, usePatchCode } from "@/entities/codes/use-code-actions";
import { spellCode, usedBy } from "@/entities/codes/words";
import { formatPlural } from "@/lib/format";
import { useStore } from "@/lib/store";
import { nameProblem, problemsOf } from "@/panels/name-model/draft";
import { FormButtons } from "@/panels/text-field/FormButtons";
import { NoteField } from "@/panels/text-field/NoteField";
import { TextField } from "@/panels/text-field/TextField";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ProblemNote } from "@/ui/states";
import { SaveForm } from "./SaveForm";

export type AskedCode =
  | { what: "save"; source: string; envId: string; name: string | null }
  | { what: "rename"; code: Code }
  | { what: "delete"; code: Code; version: number | null };

export interface CodeDialogsProps {
  kind: SavedKind;
  asked: AskedCode | null;
  /** All saved code of this kind; null while it is not known. */
  known: readonly Code[] | null;
  onClose: () => void;
  onSaved: (saved: CodeVersion) => void;
  onRenamed: (name: string) => void;
  onDeleted: (version: number | null) => void;
}

export function CodeDialogs(props: CodeDialogsProps) {
  const { asked, onClose } = props;
  return (
    <Dialog open={asked !== null} onOpenChange={onClose} title={asked ? titleOf(asked, props.kind) : "Edit"}>
      {asked?.what === "save" && (
        <SaveForm
          {...asked}
          kind={props.kind}
          known={props.known}
          onSaved={props.onSaved}
          onCancel={onClose}
        />
      )}
      {asked?.what === "rename" && <RenameForm {...props} code={asked.code} />}
      {asked?.what === "delete" && <DeleteForm {...props} code={asked.code} version={asked.version} />}
    </Dialog>
  );
}

function titleOf(asked: AskedCode, kind: SavedKind): string {
  if (asked.what === "save") return asked.name ? `Save a version of ${asked.name}` : "Save";
  if (asked.what === "rename")
    return kind === "environment" ? `Note of ${asked.code.name}` : `Rename ${asked.code.name}`;
  return `Delete ${spellCode({ name: asked.code.name, version: asked.version })}?`;
}

function RenameForm({ kind, code, onClose, onRenamed }: CodeDialogsProps & { code: Code }) {
  const [name, setName] = useState(code.name);
  const [note, setNote] = useState(code.note);
  const patch = usePatchCode(kind, code.name);
  const problems = problemsOf(patch.error);
  const typed = name.trim();
  const wrong = nameProblem(typed) ?? problems.name;
  const isName = typed !== "" && nameProblem(typed) === null;
  const rename = (next: string) => {
    patch.reset();
    setName(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isName) return;
    const change = { ...(typed === code.name ? {} : { name: typed }), note: note.trim() };
    patch.mutate(change, {
      onSuccess: (saved) => {
        onClose();
        onRenamed(saved.name);
      },
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 p-5">
      {kind === "environment" ? (
        <p className="text-sm text-ink-2">
          The name is part of the ids that runs use, so it stays. To use another name, save the code under it.
        </p>
      ) : (
        <TextField label="Name" value={name} problem={wrong ?? undefined} onChange={rename} />
      )}
      <NoteField label="Note" value={note} onChange={setNote} />
      {!problems.name && <ProblemNote error={patch.error} />}
      <FormButtons isDisabled={patch.isPending || !isName} onCancel={onClose} />
    </form>
  );
}

type DeleteFormProps = CodeDialogsProps & { code: Code; version: number | null };

function DeleteForm({ kind, code, version, onClose, onDeleted }: DeleteFormProps) {
  const remove = useDeleteCode(kind, code.name, (deleted) => {
    onClose();
    onDeleted(deleted);
  });
  const drafts = useStore(draftKeys);
  const isUnsaved =
    version === null
      ? hasDraft(drafts, kind, code.name)
      : drafts.includes(draftKey(kind, code.name, version));
  const uses =
    version === null ? usedBy(code) : (code.versions.find((one) => one.version === version)?.used_by ?? 0);
  return (
    <div className="flex flex-col gap-4 p-5 text-sm">
      <p>
        {version === null && code.versions.length > 1
          ? `All ${code.versions.length} versions are deleted. `
          : "It is deleted. "}
        {isUnsaved && "So are your unsaved changes to it. "}
        {uses > 0 && `${formatPlural(uses, "run")} used it; each keeps its own copy.`}
      </p>
      <ProblemNote error={remove.error} />
      <div className="flex justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate(version)}>
          Delete
        </Button>
      </div>
    </div>
  );
}
