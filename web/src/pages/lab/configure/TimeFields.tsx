/** The longest time of a run, as hours and minutes. */
import { useEffect, useId, useState } from "react";

export interface TimeFieldsProps {
  /** Seconds. Null: no limit. Not a number: what is typed is none. */
  value: number | null;
  error?: string;
  onChange: (seconds: number | null) => void;
}

export function TimeFields({ value, error, onChange }: TimeFieldsProps) {
  const id = useId();
  const [typed, setTyped] = useState(() => partsOf(value));
  // A change from outside (a length, a link) replaces the text; what was just typed keeps its own spelling.
  useEffect(() => setTyped((now) => (Object.is(secondsOf(now), value) ? now : partsOf(value))), [value]);
  const isWrong = Number.isNaN(secondsOf(typed));
  const message = isWrong ? "Type numbers, such as 2 hours and 30 minutes." : error;
  const change = (part: Partial<Parts>) => {
    const now = { ...typed, ...part };
    setTyped(now);
    onChange(secondsOf(now));
  };
  return (
    <div role="group" aria-labelledby={`${id}-title`} className="min-w-0">
      <span id={`${id}-title`} className="text-xs">
        Time
      </span>
      <div className="mt-1 flex items-center gap-1.5">
        <Part
          label="Hours"
          unit="h"
          text={typed.hours}
          id={id}
          isWrong={!!message}
          onChange={(hours) => change({ hours })}
        />
        <Part
          label="Minutes"
          unit="min"
          text={typed.minutes}
          id={id}
          isWrong={!!message}
          onChange={(minutes) => change({ minutes })}
        />
      </div>
      <p id={`${id}-error`} role={message ? "alert" : undefined} className="text-xs text-warn">
        {message}
      </p>
    </div>
  );
}

interface PartProps {
  label: string;
  unit: string;
  text: string;
  id: string;
  isWrong: boolean;
  onChange: (text: string) => void;
}

function Part({ label, unit, text, id, isWrong, onChange }: PartProps) {
  return (
    <span className="flex min-w-0 flex-1 items-center gap-1">
      <input
        aria-label={label}
        inputMode="decimal"
        value={text}
        placeholder="–"
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-error`}
        onChange={(event) => onChange(event.target.value)}
        className="figures h-8 w-full min-w-0 rounded-sm border border-line-strong bg-surface px-1.5 text-xs placeholder:text-ink-3 aria-invalid:border-warn"
      />
      <span aria-hidden className="text-xs text-ink-3">
        {unit}
      </span>
    </span>
  );
}

interface Parts {
  hours: string;
  minutes: string;
}

/** 9000 as 2 hours and 30 minutes; 90 seconds as 1.5 minutes. */
export function partsOf(seconds: number | null): Parts {
  if (seconds === null || Number.isNaN(seconds)) return { hours: "", minutes: "" };
  const hours = Math.floor(seconds / 3600);
  const minutes = Number(((seconds % 3600) / 60).toFixed(4));
  return { hours: hours ? String(hours) : "", minutes: minutes || !hours ? String(minutes) : "" };
}

/** Null when nothing is typed; not a number when it is no time. */
export function secondsOf({ hours, minutes }: Parts): number | null {
  const [h, m] = [hours.trim().replace(",", "."), minutes.trim().replace(",", ".")];
  if (h === "" && m === "") return null;
  const seconds = Math.round(Number(h) * 3600 + Number(m) * 60);
  return seconds >= 1 ? seconds : Number.NaN;
}
