/** One field: name, help, control, error message and reset button. */
import { useId } from "react";
import type { FieldError } from "@/api/types";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { Tooltip } from "@/ui/Tooltip";
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
        <label htmlFor={id} className="figures min-w-0 truncate text-xs text-ink">
          {field.title}
        </label>
        {field.help && <Help text={field.help} title={field.title} bounds={boundsOf(field)} />}
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

function Help({ text, title, bounds }: { text: string; title: string; bounds: string }) {
  return (
    <Tooltip
      text={
        <>
          {text}
          {bounds && <span className="mt-1 block opacity-75">{bounds}</span>}
        </>
      }
    >
      <button
        type="button"
        aria-label={`What ${title} does`}
        className="grid size-[24px] place-items-center text-ink-3 hover:text-ink"
      >
        <Icon name="info" size={12} />
      </button>
    </Tooltip>
  );
}
