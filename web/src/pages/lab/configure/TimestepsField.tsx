/** Total timesteps: a field that shows the value in use, and a slider that moves by factors. */
import { useEffect, useId, useState } from "react";
import { countScale, parseCount } from "@/lib/count";
import { formatCount } from "@/lib/format";
import { Slider } from "@/ui/Slider";

const SLIDER = countScale(1_000, 10_000_000);
const WRONG = "Type a whole number, such as 300,000, 300k or 1e6.";

export interface TimestepsFieldProps {
  label: string;
  /** Null: the preset's. Not a number: the typed text is none. */
  value: number | null;
  /** Of the preset or the length; null where steps do not end the run. */
  preset: number | null;
  error?: string;
  onChange: (value: number | null) => void;
}

export function TimestepsField({ label, value, preset, error, onChange }: TimestepsFieldProps) {
  const id = useId();
  const used = value === null || Number.isNaN(value) ? preset : value;
  const shown = used === null ? "" : formatCount(used);
  const [text, setText] = useState(shown);
  // A change from outside (preset, slider) replaces the text; what was just typed keeps its own spelling.
  useEffect(() => {
    setText((typed) => (Object.is(parseCount(typed), value) ? typed : shown));
  }, [value, shown]);
  const isWrong = Number.isNaN(parseCount(text));
  const message = isWrong ? WRONG : error;
  const type = (typed: string) => {
    setText(typed);
    onChange(parseCount(typed));
  };
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="text-xs text-ink">
        {label}
      </label>
      <div className="mt-1 flex items-center gap-3">
        <input
          id={id}
          inputMode="numeric"
          value={text}
          placeholder="no limit"
          aria-invalid={message ? true : undefined}
          aria-describedby={`${id}-error`}
          onChange={(event) => type(event.target.value)}
          onBlur={() => !isWrong && setText(shown)}
          className="figures h-8 w-24 min-w-0 flex-1 rounded-sm border border-line-strong bg-surface px-2.5 text-xs placeholder:text-ink-3 aria-invalid:border-warn"
        />
        <div className="w-24 shrink-0">
          <Slider
            label={`${label}, slider`}
            value={SLIDER.toPosition(used ?? 0)}
            min={0}
            max={1}
            step={0.01}
            valueText={used === null ? "no limit" : formatCount(used)}
            onChange={(position) => onChange(SLIDER.toValue(position))}
          />
        </div>
      </div>
      <p id={`${id}-error`} role={message ? "alert" : undefined} className="text-xs text-warn">
        {message}
      </p>
    </div>
  );
}
