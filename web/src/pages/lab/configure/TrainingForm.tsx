/** The form of a training: algorithm, preset, learning rate, length and seed; all other parameters are folded. */
import { lazy, Suspense, useMemo } from "react";
import type { FieldError } from "@/api/types";
import { offerId } from "@/entities/runners/offers";
import { chunk } from "@/lib/chunks";
import { type Draft, LEARNING_RATE, otherOptions, otherParameters, startOf } from "@/pages/lab/draft/draft";
import type { DraftState } from "@/pages/lab/draft/use-draft";
import { hasErrors } from "@/panels/wrappers/chosen";
import { FieldRow } from "@/schema-form/FieldRow";
import { Folded } from "@/schema-form/Folded";
import { fieldsOf } from "@/schema-form/fields";
import { SchemaForm } from "@/schema-form/SchemaForm";
import { AlgorithmChoice } from "./AlgorithmChoice";
import type { TrainingFormProps } from "./form-props";
import { PresetChoice } from "./PresetChoice";
import { SeedFields } from "./SeedFields";
import { TrainUntil } from "./TrainUntil";

const PrefillChoice = lazy(chunk(() => import("@/pages/lab/datasets/PrefillChoice")));
const RewardChoice = lazy(chunk(() => import("@/pages/lab/rewards/RewardChoice")));
const WrapperChoice = lazy(chunk(() => import("@/pages/lab/wrappers/WrapperChoice")));
const StartChip = lazy(chunk(() => import("@/pages/lab/draft/StartChip")));

export function TrainingForm({ state, draft, errors }: TrainingFormProps) {
  return (
    <div className="flex flex-col gap-5">
      {draft.start && (
        <Suspense>
          <StartChip start={draft.start} error={errors.start_from?.message} onRemove={state.clearStart} />
        </Suspense>
      )}
      <AlgorithmChoice state={state} draft={draft} />
      <PresetChoice state={state} draft={draft} />
      <LearningRate state={state} draft={draft} error={errors[LEARNING_RATE]} />
      <TrainUntil state={state} draft={draft} errors={errors} />
      <SeedFields state={state} draft={draft} errors={errors} />
      {draft.offer.algorithm.prefill && (
        <Suspense>
          <PrefillChoice state={state} draft={draft} errors={errors} />
        </Suspense>
      )}
      {draft.offer.runner.capabilities.own_reward && (
        <Folded title="Your own reward" isUsed={draft.reward !== "" || "reward" in errors}>
          <RewardChoice state={state} draft={draft} errors={errors} />
        </Folded>
      )}
      {!draft.offer.runner.capabilities.own_environment && (
        <Folded
          title="Wrappers of the environment"
          isUsed={Object.keys(draft.envKwargs).length > 0 || hasErrors(errors)}
        >
          <WrapperChoice state={state} draft={draft} errors={errors} />
        </Folded>
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

/** Everything else, folded away until it is opened, changed or wrong; two dozen fields are drawn only when seen. */
function MoreParameters({ state, draft, errors }: TrainingFormProps) {
  const { runner, algorithm } = draft.offer;
  const options = useMemo(() => otherOptions(runner), [runner]);
  const parameters = useMemo(() => otherParameters(algorithm), [algorithm]);
  const names = [...fieldsOf(parameters), ...fieldsOf(options)].map(({ name }) => name);
  const mustShow = names.some((name) => name in errors || name in draft.params || name in draft.options);
  if (names.length === 0) return null;
  return (
    <Folded title={`More parameters (${names.length})`} isUsed={mustShow}>
      <div className="flex flex-col gap-5">
        <SchemaForm
          key={offerId(draft.offer)}
          schema={parameters}
          base={draft.preset?.params}
          actions={state.environment?.action_space_type}
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
    </Folded>
  );
}
