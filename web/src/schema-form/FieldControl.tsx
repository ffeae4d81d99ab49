/** The control for a kind of field: switch, select, or a text box with a slider where there are bounds. */
import { useEffect, useState } from "react";
import { Select } from "@/ui/Select";
import { Slider } from "@/ui/Slider";
import { Switch } from "@/ui/Switch";
import type { Field } from "./fields";
import { isSame, parseText, sliderScale, textOf } from "./values";

export interface FieldControlProps {
  id: string;
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
  describedBy: string;
  isInvalid: boolean;
}

const NONE = "none";

export function FieldControl(props: FieldControlProps) {
  const { id, field, value, onChange, isInvalid } = props;
  if (field.kind === "boolean") {
    return <Switch id={id} label={field.title} checked={value === true} onChange={onChange} />;
  }
  if (field.kind === "choice") {
    const options = [...(field.nullable ? [NONE] : []), ...field.choices].map((choice) => ({
      value: choice,
      title: choice,
    }));
    return (
      <Select
        id={id}
        label={field.title}
        value={value === null ? NONE : String(value)}
        options={options}
        invalid={isInvalid}
        onChange={(choice) => onChange(choice === NONE && field.nullable ? null : choice)}
      />
    );
  }
  return <TextAndSlider {...props} />;
}

function TextAndSlider({ id, field, value, onChange, describedBy, isInvalid }: FieldControlProps) {
  const [text, setText] = useState(() => textOf(field, value));
  // While typing "1e-" the text is not yet the value; a change from outside (preset, slider, reset) replaces it.
  useEffect(() => {
    setText((typed) => (isSame(parseText(field, typed), value) ? typed : textOf(field, value)));
  }, [field, value]);
  const scale = sliderScale(field);
  return (
    <div className="flex items-center gap-3">
      <input
        id={id}
        value={text}
        inputMode={field.kind === "integer" ? "numeric" : field.kind === "number" ? "decimal" : undefined}
        placeholder={field.nullable ? NONE : undefined}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        onChange={(event) => {
          setText(event.target.value);
          onChange(parseText(field, event.target.value));
        }}
        className="figures h-8 w-24 min-w-0 flex-1 rounded-sm border border-line-strong bg-surface px-2.5 text-xs placeholder:text-ink-3 aria-invalid:border-warn"
      />
      {scale && typeof value === "number" && (
        <div className="w-24 shrink-0">
          <Slider
            label={`${field.title}, slider`}
            value={scale.toPosition(value)}
            min={0}
            max={1}
            step={0.005}
            valueText={textOf(field, value)}
            onChange={(position) => onChange(scale.toValue(position))}
          />
        </div>
      )}
    </div>
  );
}
