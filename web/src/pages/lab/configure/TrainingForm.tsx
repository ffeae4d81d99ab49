/** The form of a training: runner, algorithm, preset, length, seed, hyper-parameters and run options. */
import { useId, useMemo } from "react";
import type { ProblemError } from "@/api/problem";
import { formatCount, formatNumber } from "@/lib/format";
import { SchemaForm } from "@/schema-form/SchemaForm";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { Switch } from "@/ui/Switch";
import { canStopEarly, type Draft, offerId, otherOptions, SOLVED, UNTIL, whyNotOffer } from "./draft";
import { RunnerChoice } from "./RunnerChoice";
import type { DraftState } from "./use-draft";

export interface TrainingFormProps {
  state: DraftState;
  draft: Draft;
  errors: ReturnType<ProblemError["fieldErrors"]>;
}

export function TrainingForm({ state, draft, errors }: TrainingFormProps) {
  const { environment, offers, presets, choose } = state;
  const { runner } = draft.offer;
  const options = useMemo(() => otherOptions(runner), [runner]);
  const own = offers.filter((offer) => offer.runner.id === runner.id);
  return (
    <div className="flex flex-col gap-5">
      <RunnerChoice state={state} draft={draft} />
      <div className="flex flex-col gap-1.5">
        <Select
          label="Algorithm"
          value={offerId(draft.offer)}
          options={own.map((offer) => ({
            value: offerId(offer),
            title: offer.algorithm.name,
            reason: whyNotOffer(offer, environment),
          }))}
          onChange={(algorithm) => choose({ algorithm, preset: undefined })}
        />
        <p className="text-xs text-ink-3">{draft.offer.algorithm.description}</p>
      </div>
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
      <div className="grid grid-cols-[1fr_5.5rem] gap-3">
        <NumberField
          label="total timesteps"
          value={draft.totalTimesteps}
          placeholder={formatCount(draft.preset?.total_timesteps ?? 100_000)}
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
      </div>
      {canStopEarly(draft.offer, environment) && (
        <div className="flex items-center justify-between gap-3">
          <span className="figures text-xs">{`stop at ${formatNumber(environment?.reward_threshold)}`}</span>
          <Switch
            label="Stop when the environment is solved"
            checked={draft.options[UNTIL] === SOLVED}
            onChange={(stops) => state.setOptions({ [UNTIL]: stops ? SOLVED : "timesteps" })}
          />
        </div>
      )}
      <SchemaForm
        key={offerId(draft.offer)}
        schema={draft.offer.algorithm.params_schema}
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
