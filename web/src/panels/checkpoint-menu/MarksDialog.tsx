/** The tags and the note of a checkpoint. */
import { useState } from "react";
import type { CheckpointItem } from "@/api/types";
import { tagsFrom } from "@/entities/checkpoints/tags";
import { usePatchCheckpoint } from "@/entities/checkpoints/use-checkpoint-actions";
import { checkpointName } from "@/entities/checkpoints/words";
import { useStore } from "@/lib/store";
import { NoteField } from "@/panels/text-field/NoteField";
import { TextField } from "@/panels/text-field/TextField";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { marksDialog } from "./dialog";

const close = () => marksDialog.set(null);

export default function MarksDialog() {
  const item = useStore(marksDialog);
  return (
    <Dialog
      open={item !== null}
      onOpenChange={close}
      title={item ? `Tags and note of ${checkpointName(item)}` : "Tags and note"}
    >
      {item && <Form key={item.id} item={item} />}
    </Dialog>
  );
}

function Form({ item }: { item: CheckpointItem }) {
  const [tags, setTags] = useState(item.tags.join(", "));
  const [note, setNote] = useState(item.note);
  const patch = usePatchCheckpoint(item);
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        patch.mutate(
          { patch: { tags: tagsFrom(tags), note: note.trim() }, done: "Tags and note saved." },
          { onSuccess: close },
        );
      }}
    >
      <TextField
        label="Tags, separated by commas"
        value={tags}
        placeholder="baseline, demo"
        onChange={setTags}
      />
      <NoteField label="Note" value={note} onChange={setNote} />
      <p className="text-xs text-ink-3">
        A checkpoint with a tag or a note is pinned: it is never removed automatically.
      </p>
      <div className="flex justify-end gap-3">
        <Button onClick={close}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={patch.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
