/** The left column: environment, algorithm, preset, hyper-parameters, TRAIN. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { ProblemError } from "@/api/problem";
import type { Run } from "@/api/types";
import { EnvironmentCard, filterEnvironments } from "@/features/environments/EnvironmentCard";
import { createRun, keepRun } from "@/features/runs/queries";
import { formatCount } from "@/lib/format";
import { SchemaForm } from "@/schema-form/SchemaForm";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { SearchField } from "@/ui/SearchField";
import { Select } from "@/ui/Select";
import { ErrorState, Loading } from "@/ui/states";
import { toastProblem } from "@/ui/toasts";
import { type Draft, draftProblem, newRunOf, offerId, whyNotOffer } from "./configuration";
import type { DraftState } from "./use-draft";

export function Configuration({ state, onStarted }: { state: DraftState; onStarted: (run: Run) => void }) {
  const { runners, draft } = state;
  return (
    <div className="flex flex-col gap-4">
      <EnvironmentChoice state={state} />
      <Panel title="Training">
        {runners.isPending && <Loading lines={6} />}
        {runners.isError && <ErrorState error={runners.error} onRetry={() => void runners.refetch()} />}
        {draft && <TrainingForm state={state} draft={draft} onStarted={onStarted} />}
      </Panel>
    </div>
  );
}

function EnvironmentChoice({ state: { environments, draft, choose } }: { state: DraftState }) {
  const [query, setQuery] = useState("");
  return (
    <Panel title="Environment" flush>
      <div className="p-3 pb-0">
        <SearchField label="Filter environments" value={query} onChange={setQuery} />
      </div>
      <div className="flex max-h-80 flex-col gap-2 overflow-y-auto p-3">
        {environments.isPending && <Loading lines={5} />}
        {environments.isError && (
          <ErrorState error={environments.error} onRetry={() => void environments.refetch()} />
        )}
        {filterEnvironments(environments.data ?? [], query).map((environment) => (
          <EnvironmentCard
            key={environment.id}
            environment={environment}
            isSelected={environment.id === draft?.envId}
            onSelect={() => choose({ env: environment.id })}
          />
        ))}
      </div>
    </Panel>
  );
}

interface FormProps {
  state: DraftState;
  draft: Draft;
  onStarted: (run: Run) => void;
}

function TrainingForm({ state, draft, onStarted }: FormProps) {
  const { environment, offers, presets, choose } = state;
  const client = useQueryClient();
  const train = useMutation({
    mutationFn: createRun,
    onSuccess(run) {
      keepRun(client, run);
      void client.invalidateQueries({ queryKey: ["runs"] });
      onStarted(run);
    },
    onError(error) {
      if (!(error instanceof ProblemError) || error.problem.errors === null) toastProblem(error);
    },
  });
  const errors = train.error instanceof ProblemError ? train.error.fieldErrors() : {};
  return (
    <div className="flex flex-col gap-5">
      <Select
        label="Algorithm"
        value={offerId(draft.offer)}
        options={offers.map((offer) => ({
          value: offerId(offer),
          title: `${offer.algorithm.name} · ${offer.runner.name}`,
          reason: whyNotOffer(offer, environment),
        }))}
        onChange={(algorithm) => choose({ algorithm, preset: undefined })}
      />
      <div className="flex flex-wrap gap-1.5">
        {presets.map((preset) => (
          <Button
            key={preset.id}
            small
            kind={preset.id === draft.preset?.id ? "primary" : "outline"}
            title={preset.description}
            aria-pressed={preset.id === draft.preset?.id}
            onClick={() => choose({ preset: preset.id })}
          >
            {preset.title}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-3">
        <NumberField
          label="Total timesteps"
          value={draft.totalTimesteps}
          placeholder={formatCount(draft.preset?.total_timesteps ?? 100_000)}
          error={errors.total_timesteps?.message}
          onChange={state.setTotalTimesteps}
        />
        <NumberField
          label="Seed"
          value={draft.seed}
          placeholder="any"
          error={errors.seed?.message}
          onChange={state.setSeed}
        />
      </div>
      <Button
        kind="primary"
        icon="play"
        reason={draftProblem(draft)}
        disabled={train.isPending}
        onClick={() => train.mutate(newRunOf(draft))}
      >
        Train
      </Button>
      <SchemaForm
        key={offerId(draft.offer)}
        schema={draft.offer.algorithm.params_schema}
        base={draft.preset?.params}
        values={draft.params}
        errors={errors}
        onChange={state.setParams}
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
        value={value ?? ""}
        placeholder={placeholder}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error`}
        onChange={(event) => {
          const digits = event.target.value.replaceAll(/\D/g, "");
          onChange(digits === "" ? null : Number(digits));
        }}
        className="figures mt-1 h-8 w-full rounded-sm border border-line-strong bg-surface px-2.5 text-xs placeholder:text-ink-3 aria-invalid:border-warn"
      />
      <p id={`${id}-error`} className="text-xs text-warn">
        {error}
      </p>
    </div>
  );
}
