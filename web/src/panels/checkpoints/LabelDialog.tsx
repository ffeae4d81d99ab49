/** Tags and a note of one checkpoint, in a dialog. */
import { useState } from "react";
import { tagsFrom } from "@/entities/checkpoints/tags";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

interface Labels {
  tags: string[];
  note: string;
}

export interface LabelDialogProps extends Labels {
  title: string;
  open: boolean;
  onClose: () => void;
  onSave: (labels: Labels) => void;
}

export function LabelDialog({ title, open, onClose, ...form }: LabelDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onClose} title={`Tags and note of ${title}`}>
      <LabelForm {...form} onClose={onClose} />
    </Dialog>
  );
}

const FIELD = "rounded-sm border border-line-strong bg-surface px-2";

function LabelForm({ tags, note, onClose, onSave }: Omit<LabelDialogProps, "title" | "open">) {
  const [tagText, setTagText] = useState(tags.join(", "));
  const [noteText, setNoteText] = useState(note);
  return (
    <form
      className="flex flex-col gap-4 p-5 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        onSave({ tags: tagsFrom(tagText), note: noteText.trim() });
        onClose();
      }}
    >
      <label className="flex flex-col gap-1">
        <span className="text-ink-2">Tags, separated by commas</span>
        <input
          value={tagText}
          maxLength={500}
          placeholder="good, lands softly"
          onChange={(event) => setTagText(event.target.value)}
          className={`h-9 ${FIELD}`}
        />
      </label>
      <label className="flex flex-col gap-1">
        <span className="text-ink-2">Note</span>
        <textarea
          value={noteText}
          rows={4}
          maxLength={4000}
          onChange={(event) => setNoteText(event.target.value)}
          className={`resize-y py-1.5 ${FIELD}`}
        />
      </label>
      <p className="text-xs text-ink-3">
        A tag or a note pins the checkpoint: pinned files are never removed automatically. Unpin it to let it
        go.
      </p>
      <div className="flex justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit">
          Save
        </Button>
      </div>
    </form>
  );
}
