/** The title of a page; a click, or Enter on it, edits it in place. */
import { useState } from "react";
import { Tooltip } from "@/ui/Tooltip";

export interface EditableTitleProps {
  /** Of the field. */
  label: string;
  text: string;
  onChange: (text: string) => void;
}

export function EditableTitle({ label, text, onChange }: EditableTitleProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const keep = () => {
    const next = typed?.trim();
    if (next && next !== text) onChange(next);
    setTyped(null);
  };
  if (typed === null)
    return (
      <h1 className="min-w-0 text-lg font-semibold">
        <Tooltip text="Rename">
          <button
            type="button"
            className="max-w-full rounded-sm text-left hover:bg-sunken sm:truncate"
            onClick={() => setTyped(text)}
          >
            {text}
          </button>
        </Tooltip>
      </h1>
    );
  return (
    <h1 className="min-w-0 flex-1 sm:max-w-md">
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
        autoFocus
        aria-label={label}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === "Enter") keep();
          if (event.key === "Escape") setTyped(null);
        }}
        className="w-full rounded-sm border border-line-strong bg-surface px-2 text-lg font-semibold"
      />
    </h1>
  );
}
