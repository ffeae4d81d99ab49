/** One parameter that varies: a list of values, or a range. */
import { useId } from "react";
import { INPUT } from "@/panels/text-field/TextField";
import type { Field } from "@/schema-form/fields";
import { boundsOf } from "@/schema-form/values";
import { IconButton } from "@/ui/Button";
import { HelpTip } from "@/ui/HelpTip";
import { Select } from "@/ui/Select";
import type { Varied, Way } from "./draft";

export interface VariedRowProps {
  field: Field;
  varied: Varied;
  way: Way;
  problem?: string;
  onChange: (varied: Varied) => void;
  onRemove: () => void;
}

export function VariedRow({ field, varied, way, problem, onChange, onRemove }: VariedRowProps) {
  const id = useId();
  const isNumber = field.kind === "number" || field.kind === "integer";
  const isRange = varied.isRange && way !== "change";
  const bounds = boundsOf(field);
  return (
    <li className="flex flex-col gap-1.5 rounded-md border p-3">
      <div className="flex min-h-8 items-center gap-1.5">
        <span className="text-sm font-medium">{field.title}</span>
        <code className="min-w-0 truncate text-2xs text-ink-3">{field.name}</code>
        {field.help && (
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
        )}
        <div className="ml-auto flex items-center gap-1">
          {isNumber && way !== "change" && (
            <div className="w-28">
              <Select
                label={`Values of ${field.title}`}
                value={isRange ? "range" : "values"}
                options={[
                  { value: "values", title: "Values" },
                  { value: "range", title: "Range" },
                ]}
                onChange={(kind) => onChange({ ...varied, isRange: kind === "range" })}
              />
            </div>
          )}
          <IconButton icon="close" label={`Do not vary ${field.title}`} onClick={onRemove} />
        </div>
      </div>
      {isRange ? (
        <Ends
          field={field}
          varied={varied}
          way={way}
          problemId={id}
          isWrong={Boolean(problem)}
          onChange={onChange}
        />
      ) : (
        <input
          aria-label={way === "change" ? `Changed value of ${field.title}` : `Values of ${field.title}`}
          aria-invalid={problem ? true : undefined}
          aria-describedby={id}
          value={varied.values}
          placeholder={field.kind === "integers" ? "64, 64; 128, 128" : "0.001, 0.003, 0.01"}
          onChange={(event) => onChange({ ...varied, values: event.target.value })}
          className={INPUT}
        />
      )}
      <p id={id} role={problem ? "alert" : undefined} className="text-xs text-warn">
        {problem}
      </p>
    </li>
  );
}

interface EndsProps extends Pick<VariedRowProps, "field" | "varied" | "way" | "onChange"> {
  problemId: string;
  isWrong: boolean;
}

function Ends({ field, varied, way, problemId, isWrong, onChange }: EndsProps) {
  const box = (label: string, name: "low" | "high" | "count", width: string) => (
    <input
      aria-label={`${label} of ${field.title}`}
      aria-invalid={isWrong || undefined}
      aria-describedby={problemId}
      inputMode="decimal"
      value={varied[name]}
      onChange={(event) => onChange({ ...varied, [name]: event.target.value })}
      className={`${INPUT} ${width}`}
    />
  );
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 text-xs text-ink-2">
      from {box("Lowest value", "low", "w-24!")} to {box("Highest value", "high", "w-24!")}
      {way === "grid" && <>in {box("Number of values", "count", "w-14!")} values</>}
      <label className="flex items-center gap-1.5">
        <input
          type="checkbox"
          checked={varied.isLog}
          onChange={(event) => onChange({ ...varied, isLog: event.target.checked })}
          className="size-4 accent-ink"
        />
        logarithmic
      </label>
    </div>
  );
}
