/** One whole number, or nothing. What is typed stays as it is typed; a text that is no number is named, not cut. */
import { useEffect, useId, useState } from "react";
import { parseCount } from "@/lib/count";
import { formatCount } from "@/lib/format";

export interface NumberFieldProps {
  label: string;
  /** Null: empty. Not a number: the typed text is none. */
  value: number | null;
  placeholder: string;
  /** For the message about a text that is no number. */
  example: string;
  error?: string;
  onChange: (value: number | null) => void;
}

export function NumberField({ label, value, placeholder, example, error, onChange }: NumberFieldProps) {
  const id = useId();
  const [text, setText] = useState(() => shown(value));
  // A change from outside (a preset, a link) replaces the text; what was just typed keeps its own spelling.
  useEffect(() => setText((typed) => (Object.is(parseCount(typed), value) ? typed : shown(value))), [value]);
  const isNumber = !Number.isNaN(parseCount(text));
  const problem = isNumber ? error : `One whole number, such as ${example}.`;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="text-xs">
        {label}
      </label>
      <input
        id={id}
        inputMode="numeric"
        value={text}
        placeholder={placeholder}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-error`}
        onChange={(event) => {
          setText(event.target.value);
          onChange(parseCount(event.target.value));
        }}
        onBlur={() => isNumber && setText(shown(parseCount(text)))}
        className="figures mt-1 h-8 w-full rounded-sm border border-line-strong bg-surface px-2.5 text-xs placeholder:text-ink-3 aria-invalid:border-warn"
      />
      <p id={`${id}-error`} role={problem ? "alert" : undefined} className="text-xs text-warn">
        {problem}
      </p>
    </div>
  );
}

const shown = (value: number | null): string =>
  value === null || Number.isNaN(value) ? "" : formatCount(value);
