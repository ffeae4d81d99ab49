/** Keys, ramps, mouse and gamepad of each number of a continuous action. */
import type { ActionAxis } from "@/api/types";
import { axisLabel, type Controls, withAxis } from "@/entities/plays/controls";
import { INPUT } from "@/panels/text-field/TextField";
import { Button, IconButton } from "@/ui/Button";
import { Select } from "@/ui/Select";
import type { RowsProps } from "./ActionRows";
import { KeyChoice } from "./KeyChoice";

type Axis = Required<ActionAxis>;
const NONE = "none";

export function AxisRows({ draft, actionNames, onChange }: RowsProps) {
  return (
    <div className="flex flex-col gap-4">
      {draft.axes.map((axis) => (
        <AxisRow
          key={axis.index}
          axis={axis}
          onChange={(change) => onChange(withAxis(draft, axis.index, change))}
          onRemove={() => onChange(without(draft, axis.index))}
        />
      ))}
      {draft.axes.length < draft.numbers && (
        <Button
          small
          icon="plus"
          className="self-start"
          onClick={() => onChange(withNext(draft, actionNames))}
        >
          Add a number of the action
        </Button>
      )}
    </div>
  );
}

interface AxisRowProps {
  axis: Axis;
  onChange: (change: Partial<Axis>) => void;
  onRemove: () => void;
}

function AxisRow({ axis, onChange, onRemove }: AxisRowProps) {
  const name = axisLabel(axis);
  return (
    <fieldset className="flex flex-col gap-2 border-t pt-3">
      <legend className="sr-only">{name}</legend>
      <div className="flex items-center gap-2">
        <input
          aria-label={`What number ${axis.index} of the action does`}
          value={axis.label}
          maxLength={60}
          placeholder={`number ${axis.index}`}
          onChange={(event) => onChange({ label: event.target.value })}
          className={INPUT}
        />
        <span className="figures shrink-0 text-2xs text-ink-3">{`${axis.low} … ${axis.high}`}</span>
        <IconButton icon="close" label={`Remove ${name}`} onClick={onRemove} />
      </div>
      <div className="flex flex-wrap items-end gap-3 text-xs">
        <Named title="Less">
          <KeyChoice label={`less ${name}`} keys={axis.minus} onKeys={(minus) => onChange({ minus })} />
        </Named>
        <Named title="More">
          <KeyChoice label={`more ${name}`} keys={axis.plus} onKeys={(plus) => onChange({ plus })} />
        </Named>
        <Seconds
          title="Rises in"
          label={`Seconds in which ${name} rises`}
          value={axis.rise_s}
          onChange={(rise_s) => onChange({ rise_s })}
        />
        <Seconds
          title="Falls in"
          label={`Seconds in which ${name} falls`}
          value={axis.fall_s}
          onChange={(fall_s) => onChange({ fall_s })}
        />
        <Named title="Mouse">
          <div className="w-28">
            <Select
              label={`Mouse for ${name}`}
              value={axis.mouse ?? NONE}
              options={[
                { value: NONE, title: "No" },
                { value: "x", title: "Left, right" },
                { value: "y", title: "Up, down" },
              ]}
              onChange={(mouse) => onChange({ mouse: mouse === NONE ? null : (mouse as "x" | "y") })}
            />
          </div>
        </Named>
        <Named title="Gamepad">
          <div className="w-28">
            <Select
              label={`Axis of the gamepad for ${name}`}
              value={String(axis.gamepad ?? NONE)}
              options={[
                { value: NONE, title: "No" },
                ...[0, 1, 2, 3].map((number) => ({ value: String(number), title: `Axis ${number}` })),
              ]}
              onChange={(number) => onChange({ gamepad: number === NONE ? null : Number(number) })}
            />
          </div>
        </Named>
      </div>
    </fieldset>
  );
}

const Named = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div className="flex flex-col gap-1">
    <span aria-hidden>{title}</span>
    {children}
  </div>
);

interface SecondsProps {
  title: string;
  label: string;
  value: number;
  onChange: (seconds: number) => void;
}

const Seconds = ({ title, label, value, onChange }: SecondsProps) => (
  <Named title={title}>
    <span className="flex w-20 items-center gap-1">
      <input
        type="number"
        aria-label={label}
        min={0}
        max={5}
        step={0.05}
        value={value}
        onChange={(event) => onChange(Math.max(0, Math.min(5, Number(event.target.value) || 0)))}
        className={INPUT}
      />
      s
    </span>
  </Named>
);

const without = (draft: Controls, index: number): Controls => ({
  ...draft,
  axes: draft.axes.filter((axis) => axis.index !== index),
});

/** The first number that has no controls yet. The lab keeps every action within what the environment takes. */
function withNext(draft: Controls, names: readonly string[]): Controls {
  let index = 0;
  while (draft.axes.some((axis) => axis.index === index)) index++;
  const axis: Axis = {
    index,
    label: names[index] ?? "",
    minus: [],
    plus: [],
    low: -1,
    high: 1,
    rest: 0,
    rise_s: 0.15,
    fall_s: 0.1,
    mouse: null,
    gamepad: null,
  };
  return { ...draft, kind: "continuous", problem: "", axes: [...draft.axes, axis] };
}
