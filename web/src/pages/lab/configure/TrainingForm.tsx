/** The form of a training: algorithm, preset, learning rate, length and seed; all other parameters are folded. */
import { useId, useMemo } from "react";
import type { ProblemError } from "@/api/problem";
import type { FieldError } from "@/api/types";
import { formatCount, formatNumber } from "@/lib/format";
import { FieldRow } from "@/schema-form/FieldRow";
import { fieldsOf } from "@/schema-form/fields";
import { SchemaForm } from "@/schema-form/SchemaForm";
import { Button } from "@/ui/Button";
import { Switch } from "@/ui/Switch";
import { AlgorithmChoice } from "./AlgorithmChoice";
import {
  canStopEarly,
  DEFAULT_TIMESTEPS,
  type Draft,
  LEARNING_RATE,
  offerId,
  otherOptions,
  otherParameters,
  SOLVED,
  startOf,
  UNTIL,
} from "./draft";
import { TimestepsField } from "./TimestepsField";
import type { DraftState } from "./use-draft";

export interface TrainingFormProps {
  state: DraftState;
  draft: Draft;
  errors: ReturnType<ProblemError["fieldErrors"]>;
}

export function TrainingForm({ state, draft, errors }: TrainingFormProps) {
  const { environment, presets, choose } = state;
  return (
    <div className="flex flex-col gap-5">
      <AlgorithmChoice state={state} draft={draft} />
      <fieldset>
        <legend className="label mb-2 text-ink-3">Preset</legend>
        <div className="grid grid-cols-3 gap-1">
          {presets.map((preset) => (
            <Button
              key={preset.id}
              small
              kind={preset.id === draft.preset?.id ? "primary" : "outline"}
              title={preset.description}
              aria-pressed={preset.id === draft.preset?.id}
              className="px-1! tracking-normal!"
              onClick={() => choose({ preset: preset.id })}
            >
              {preset.title}
            </Button>
          ))}
        </div>
      </fieldset>
      <LearningRate state={state} draft={draft} error={errors[LEARNING_RATE]} />
      <TimestepsField
        key={offerId(draft.offer)}
        value={draft.totalTimesteps}
        preset={draft.preset?.total_timesteps ?? DEFAULT_TIMESTEPS}
        error={errors.total_timesteps?.message}
        onChange={state.setTotalTimesteps}
      />
      <NumberField
        label="seed"
        value={draft.seed}
        placeholder="any"
        error={errors.seed?.message}
        onChange={state.setSeed}
      />
      {canStopEarly(draft.offer, environment) && (
        <div className="flex items-center justify-between gap-3">
          <span className="text-xs">{`Stop when solved (${formatNumber(environment?.reward_threshold)})`}</span>
          <Switch
            label="Stop when the environment is solved"
            checked={draft.options[UNTIL] === SOLVED}
            onChange={(stops) => state.setOptions({ [UNTIL]: stops ? SOLVED : "timesteps" })}
          />
        </div>
      )}
      <MoreParameters state={state} draft={draft} errors={errors} />
    </div>
  );
}

/** The one parameter that is never folded away. */
function LearningRate({ state, draft, error }: { state: DraftState; draft: Draft; error?: FieldError }) {
  const { params_schema } = draft.offer.algorithm;
  const field = useMemo(
    () => fieldsOf(params_schema).find(({ name }) => name === LEARNING_RATE),
    [params_schema],
  );
  if (!field) return null;
  const start = startOf(draft);
  const set = (value: unknown) => state.setParams({ ...start, ...draft.params, [LEARNING_RATE]: value });
  return (
    <FieldRow
      field={field}
      value={{ ...start, ...draft.params }[LEARNING_RATE]}
      isChanged={LEARNING_RATE in draft.params}
      error={error}
      onChange={set}
      onReset={() => set(start[LEARNING_RATE])}
    />
  );
}

/** Everything else, folded away until it is opened, changed or wrong. */
function MoreParameters({ state, draft, errors }: TrainingFormProps) {
  const { runner, algorithm } = draft.offer;
  const options = useMemo(() => otherOptions(runner), [runner]);
  const parameters = useMemo(() => otherParameters(algorithm), [algorithm]);
  const names = [...fieldsOf(parameters), ...fieldsOf(options)].map(({ name }) => name);
  const mustShow = names.some((name) => name in errors || name in draft.params || name in draft.options);
  if (names.length === 0) return null;
  return (
    <details open={mustShow || undefined}>
      <summary className="text-sm text-ink-2 hover:text-ink">{`More parameters (${names.length})`}</summary>
      <div className="mt-4 flex flex-col gap-5">
        <SchemaForm
          key={offerId(draft.offer)}
          schema={parameters}
          base={draft.preset?.params}
          values={draft.params}
          errors={errors}
          onChange={state.setParams}
        />
        <SchemaForm
          key={runner.id}
          schema={options}
          values={draft.options}
          errors={errors}
          onChange={state.setOptions}
        />
      </div>
    </details>
  );
}

interface NumberFieldProps {
  label: string;
  value: number | null;
  placeholder: string;
  error?: string;
  onChange: (value: number | null) => void;
}

function NumberField({ label, value, placeholder, error, onChange }: NumberFieldProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="figures text-xs">
        {label}
      </label>
      <input
        id={id}
        inputMode="numeric"
        value={value === null ? "" : formatCount(value)}
        placeholder={placeholder}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error`}
        onChange={(event) => {
          const digits = event.target.value.replaceAll(/\D/g, "").slice(0, 10);
          onChange(digits === "" ? null : Number(digits));
        }}
        className="figures mt-1 h-8 w-full rounded-sm border border-line-strong bg-surface px-2.5 text-xs placeholder:text-ink-3 aria-invalid:border-warn"
      />
      <p id={`${id}-error`} role={error ? "alert" : undefined} className="text-xs text-warn">
        {error}
      </p>
    </div>
  );
}
