import { useRef } from "react";
import { Icon } from "./icons";

export interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange("");
    field.current?.focus();
  };
  return (
    <div className="flex h-9 min-w-0 items-center gap-2 rounded-sm border border-line-strong bg-surface pr-1 pl-2.5 text-ink-3 focus-within:border-focus focus-within:outline focus-within:outline-focus">
      <Icon name="search" size={14} />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-full min-w-0 flex-1 bg-transparent text-sm text-ink outline-none placeholder:text-ink-3 [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== "" && (
        <button
          type="button"
          aria-label="Clear the field"
          onClick={clear}
          className="grid size-7 shrink-0 place-items-center rounded-sm hover:bg-sunken hover:text-ink"
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </div>
  );
}
