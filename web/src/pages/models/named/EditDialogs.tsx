/** The dialogs of named models: rename, labels and note of a version, delete. */
import { type FormEvent, type ReactNode, useState } from "react";
import type { Model, ModelVersion } from "@/api/types";
import { tagsFrom } from "@/entities/checkpoints/tags";
import { versionName } from "@/entities/checkpoints/words";
import { useDeleteName, usePatchModel, usePatchVersion } from "@/entities/models/use-model-actions";
import { nameProblem, problemsOf } from "@/panels/name-model/draft";
import { FormButtons } from "@/panels/text-field/FormButtons";
import { NoteField } from "@/panels/text-field/NoteField";
import { TextField } from "@/panels/text-field/TextField";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ProblemNote } from "@/ui/states";

export type Asked =
  | { kind: "model"; model: Model }
  | { kind: "version"; model: Model; version: ModelVersion }
  | { kind: "delete"; model: Model; version: ModelVersion | null };

interface DialogProps<Of extends Asked> {
  asked: Of;
  onClose: () => void;
}

export function EditDialogs({ asked, onClose }: { asked: Asked | null; onClose: () => void }) {
  return (
    <Dialog open={asked !== null} onOpenChange={onClose} title={asked ? titleOf(asked) : "Edit"}>
      {asked?.kind === "model" && <ModelForm asked={asked} onClose={onClose} />}
      {asked?.kind === "version" && <VersionForm asked={asked} onClose={onClose} />}
      {asked?.kind === "delete" && <DeleteForm asked={asked} onClose={onClose} />}
    </Dialog>
  );
}

function titleOf(asked: Asked): string {
  if (asked.kind === "model") return `Rename ${asked.model.name}`;
  const which = asked.version ? versionName(asked.model.name, asked.version.version) : asked.model.name;
  return asked.kind === "delete" ? `Delete ${which}?` : `Labels and note of ${which}`;
}

function ModelForm({ asked: { model }, onClose }: DialogProps<Extract<Asked, { kind: "model" }>>) {
  const [name, setName] = useState(model.name);
  const [note, setNote] = useState(model.note);
  const patch = usePatchModel(model.name);
  const problems = problemsOf(patch.error);
  const wrong = nameProblem(name) ?? problems.name;
  return (
    <Form
      onSubmit={() => {
        const typed = name.trim();
        if (typed !== "" && !nameProblem(typed))
          patch.mutate(
            { ...(typed === model.name ? {} : { name: typed }), note: note.trim() },
            { onSuccess: onClose },
          );
      }}
      onCancel={onClose}
      isBusy={patch.isPending}
    >
      <TextField label="Name" value={name} problem={wrong} onChange={setName} />
      <NoteField label="Note on this model" value={note} onChange={setNote} />
      {!problems.name && <ProblemNote error={patch.error} />}
    </Form>
  );
}

function VersionForm({ asked, onClose }: DialogProps<Extract<Asked, { kind: "version" }>>) {
  const { model, version } = asked;
  const [labels, setLabels] = useState(version.labels.join(", "));
  const [note, setNote] = useState(version.note);
  const patch = usePatchVersion(model.name);
  const problems = problemsOf(patch.error);
  return (
    <Form
      onSubmit={() =>
        patch.mutate(
          { version: version.version, patch: { labels: tagsFrom(labels), note: note.trim() } },
          { onSuccess: onClose },
        )
      }
      onCancel={onClose}
      isBusy={patch.isPending}
    >
      <TextField
        label="Labels, separated by commas"
        value={labels}
        placeholder="production, candidate"
        problem={problems.labels}
        onChange={setLabels}
      />
      <p className="-mt-2 text-xs text-ink-3">
        One version of a model has a label: a label that another version has moves to this one.
      </p>
      <NoteField label="Note on this version" value={note} onChange={setNote} />
      {!problems.labels && <ProblemNote error={patch.error} />}
    </Form>
  );
}

function DeleteForm({ asked, onClose }: DialogProps<Extract<Asked, { kind: "delete" }>>) {
  const { model, version } = asked;
  const remove = useDeleteName(model.name);
  return (
    <div className="flex flex-col gap-4 p-5 text-sm">
      <p>
        {version
          ? "The version and the lab’s copy of its file are deleted. The checkpoint stays with its run, if it is still there."
          : "The name, its versions and the lab’s copies of their files are deleted. The checkpoints stay with their runs, where they are still there."}
      </p>
      <div className="flex justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="danger"
          disabled={remove.isPending}
          onClick={() => remove.mutate(version?.version ?? null, { onSuccess: onClose })}
        >
          Delete
        </Button>
      </div>
    </div>
  );
}

interface FormProps {
  onSubmit: () => void;
  onCancel: () => void;
  isBusy: boolean;
  children: ReactNode;
}

function Form({ onSubmit, onCancel, isBusy, children }: FormProps) {
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <FormButtons isDisabled={isBusy} onCancel={onCancel} />
    </form>
  );
}
