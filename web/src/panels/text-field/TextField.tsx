/** A text box with its name above and what is wrong with it below. */
import { useId } from "react";

export const INPUT =
  "figures h-8 w-full min-w-0 rounded-sm border border-line-strong bg-surface px-2.5 text-xs placeholder:text-ink-3 aria-invalid:border-warn";

export interface TextFieldProps {
  label: string;
  value: string;
  placeholder?: string;
  problem?: string;
  onChange: (value: string) => void;
}

export function TextField({ label, value, placeholder, problem, onChange }: TextFieldProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="text-xs">
        {label}
      </label>
      <input
        id={id}
        value={value}
        placeholder={placeholder}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => onChange(event.target.value)}
        className={`${INPUT} mt-1`}
      />
      <p id={`${id}-problem`} role={problem ? "alert" : undefined} className="text-xs text-warn">
        {problem}
      </p>
    </div>
  );
}
