/** The browser's own list: known to every keyboard, screen reader and phone, and it weighs nothing. */
import { cx } from "./cx";
import { Icon } from "./icons";

export interface Option<Value extends string> {
  value: Value;
  title: string;
  /** Why this option is disabled. */
  reason?: string | null;
}

export interface SelectProps<Value extends string> {
  id?: string;
  label: string;
  value: Value;
  options: Option<Value>[];
  onChange: (value: Value) => void;
  invalid?: boolean;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { id, label, value, options, onChange, invalid } = props;
  return (
    <span className="relative block w-full">
      <select
        id={id}
        aria-label={label}
        aria-invalid={invalid || undefined}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
        className={cx(
          "h-9 w-full appearance-none truncate rounded-sm border border-line-strong bg-surface",
          "pr-8 pl-3 text-left text-sm hover:bg-sunken aria-invalid:border-warn",
        )}
      >
        {/* Else the browser shows the first option, which is not chosen and cannot be. */}
        {options.every((option) => option.value !== value) && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option
            key={option.value}
            value={option.value}
            disabled={Boolean(option.reason)}
            title={option.reason ?? undefined}
          >
            {option.title}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-ink-3">
        <Icon name="down" size={13} />
      </span>
    </span>
  );
}
