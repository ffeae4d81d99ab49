import { Icon } from "./icons";

export interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <div className="flex h-9 min-w-0 items-center gap-2 rounded-sm border border-line-strong bg-surface px-2.5 text-ink-3 focus-within:border-ink">
      <Icon name="search" size={14} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-full min-w-0 flex-1 bg-transparent text-sm text-ink outline-none placeholder:text-ink-3"
      />
    </div>
  );
}
