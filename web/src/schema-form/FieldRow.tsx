/** One field: name, help, control, error message and reset button. */
import { useId } from "react";
import type { FieldError } from "@/api/types";
import { cx } from "@/ui/cx";
import { HelpTip } from "@/ui/HelpTip";
import { Icon } from "@/ui/icons";
import { FieldControl } from "./FieldControl";
import type { Field } from "./fields";
import { boundsOf, problemOf } from "./values";

export interface FieldRowProps {
  field: Field;
  value: unknown;
  isChanged: boolean;
  error?: FieldError;
  onChange: (value: unknown) => void;
  onReset: () => void;
}

export function FieldRow({ field, value, isChanged, error, onChange, onReset }: FieldRowProps) {
  const id = useId();
  const problem = problemOf(field, value) ?? error?.message ?? null;
  const isInline = field.kind === "boolean";
  return (
    <div className={cx("min-w-0", isInline && "flex flex-wrap items-center justify-between gap-x-3")}>
      <div className="flex min-h-6 items-center gap-1.5">
        <label htmlFor={id} className="min-w-0 text-xs text-ink">
          {field.title}
        </label>
        <code className="min-w-0 truncate text-2xs text-ink-3">{field.name}</code>
        {(field.help || field.lessons.length > 0) && <Help field={field} />}
        {isChanged && (
          <button
            type="button"
            aria-label={`Reset ${field.title}`}
            title="Reset"
            onClick={onReset}
            className="ml-auto grid size-[24px] place-items-center rounded-sm text-ink-3 hover:bg-sunken hover:text-ink"
          >
            <Icon name="reset" size={12} />
          </button>
        )}
      </div>
      <FieldControl
        id={id}
        field={field}
        value={value}
        onChange={onChange}
        describedBy={`${id}-problem`}
        isInvalid={problem !== null}
      />
      <p
        id={`${id}-problem`}
        role={problem ? "alert" : undefined}
        className={cx("w-full text-xs text-warn", problem && "mt-1")}
      >
        {problem}
      </p>
    </div>
  );
}

function Help({ field }: { field: Field }) {
  const bounds = boundsOf(field);
  return (
    <HelpTip label={`What ${field.title} does`}>
      {field.help}
      {field.lessons.map(([heading, text]) => (
        <span key={heading} className="mt-1 block">
          <b>{`${heading}: `}</b>
          {text}
        </span>
      ))}
      {bounds && <span className="mt-1 block opacity-75">{`Allowed: ${bounds}.`}</span>}
    </HelpTip>
  );
}
