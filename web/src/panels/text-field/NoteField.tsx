/** A text of several lines with its name above. */
const MOST_CHARACTERS = 10_000;

export interface NoteFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function NoteField({ label, value, onChange }: NoteFieldProps) {
  return (
    <label className="flex flex-col gap-1 text-xs">
      {label}
      <textarea
        value={value}
        rows={4}
        maxLength={MOST_CHARACTERS}
        onChange={(event) => onChange(event.target.value)}
        className="w-full resize-y rounded-sm border border-line-strong bg-surface p-2.5 text-sm"
      />
    </label>
  );
}
