/** Tags and a note of one checkpoint as a form. */
import { type ReactNode, useState } from "react";
import { tagsFrom } from "@/entities/checkpoints/tags";
import { FormButtons } from "@/panels/text-field/FormButtons";

interface Marks {
  tags: string[];
  note: string;
}

export interface MarksFormProps extends Marks {
  /** What the checkpoint is called. */
  title: string;
  isBusy: boolean;
  /** Why the last try was refused. */
  problem: ReactNode;
  onClose: () => void;
  onSave: (marks: Marks) => void;
}

const FIELD = "rounded-sm border border-line-strong bg-surface px-2";

export function MarksForm({ title, tags, note, isBusy, problem, onClose, onSave }: MarksFormProps) {
  const [tagText, setTagText] = useState(tags.join(", "));
  const [noteText, setNoteText] = useState(note);
  return (
    <form
      className="flex flex-col gap-4 p-5 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        onSave({ tags: tagsFrom(tagText), note: noteText.trim() });
      }}
    >
      <p className="wrap-anywhere">{title}</p>
      <label className="flex flex-col gap-1">
        <span className="text-ink-2">Tags, separated by commas</span>
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type in it
          autoFocus
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
      {problem}
      <FormButtons isDisabled={isBusy} onCancel={onClose} />
    </form>
  );
}
