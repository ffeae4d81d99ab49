/** Name and tags of the next run, next to TRAIN. */
import { useId } from "react";
import type { DraftState } from "@/pages/lab/draft/use-draft";

export function NameFields({ state }: { state: DraftState }) {
  return (
    <div className="grid shrink-0 grid-cols-[3fr_2fr] gap-2">
      <TextField
        label="Name"
        placeholder="automatic"
        value={state.draft?.name ?? ""}
        onChange={state.setName}
      />
      <TextField label="Tags" placeholder="a, b" value={state.tagsText} onChange={state.setTags} />
    </div>
  );
}

interface TextFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

function TextField({ label, placeholder, value, onChange }: TextFieldProps) {
  const id = useId();
  return (
    <div className="flex h-8 min-w-0 items-center gap-2 rounded-sm border border-line-strong bg-surface pl-2.5 focus-within:border-ink">
      <label htmlFor={id} className="text-xs text-ink-3">
        {label}
      </label>
      <input
        id={id}
        value={value}
        maxLength={200}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
        className="h-full min-w-0 flex-1 bg-transparent pr-2 text-xs outline-none placeholder:text-ink-3"
      />
    </div>
  );
}
