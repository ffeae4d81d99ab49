/** A note in Markdown: shown as text, edited in place. */
import { type KeyboardEvent, useState } from "react";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { NoteText } from "./NoteText";

export interface NotePanelProps {
  /** What the note is about, in the label of the field: "this run". */
  about: string;
  note: string;
  onSave: (text: string) => void;
}

const MOST_CHARACTERS = 20_000;

export function NotePanel({ about, note, onSave }: NotePanelProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const save = () => {
    if (draft !== null && draft.trim() !== note) onSave(draft.trim());
    setDraft(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
    if (event.key === "Escape") setDraft(null);
    // Keys of the replay next to it must not act while someone types.
    event.stopPropagation();
  };
  return (
    <Panel
      title="Note"
      actions={
        draft === null && (
          <Button small kind="quiet" onClick={() => setDraft(note)}>
            {note === "" ? "Write" : "Edit"}
            <span className="sr-only"> the note on {about}</span>
          </Button>
        )
      }
    >
      {draft === null ? (
        <NoteText text={note} about={about} />
      ) : (
        <div className="flex flex-col gap-2">
          <textarea
            // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
            autoFocus
            aria-label={`Note on ${about}`}
            placeholder="Markdown: **bold**, - lists, `code`, [links](https://…)"
            value={draft}
            rows={6}
            maxLength={MOST_CHARACTERS}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={onKeyDown}
            className="figures w-full resize-y rounded-sm border border-line-strong bg-surface p-2.5 text-xs"
          />
          <div className="flex gap-2">
            <Button small kind="primary" onClick={save}>
              Save
            </Button>
            <Button small kind="quiet" onClick={() => setDraft(null)}>
              Cancel
            </Button>
          </div>
        </div>
      )}
    </Panel>
  );
}
