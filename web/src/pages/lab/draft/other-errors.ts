/** The server's messages about fields that no control of the form shows. Pure. */
import type { FieldError } from "@/api/types";
import { learnsFromData } from "@/entities/runners/offers";
import { isAboutArguments } from "@/panels/wrappers/chosen";
import { fieldsFor, fieldsOf } from "@/schema-form/fields";
import { type Draft, otherOptions } from "./draft";
import { MAX_EPISODES, MAX_SECONDS } from "./ends";

/** `actions`: the environment's kind of actions, which decides which parameters the form has. */
export function otherErrors(
  errors: Readonly<Record<string, FieldError>>,
  draft: Draft,
  actions: string | undefined,
): FieldError[] {
  const shown = shownFields(draft, actions);
  const hasWrappers = !draft.offer.runner.capabilities.own_environment;
  return Object.entries(errors)
    .filter(([field]) => !shown.has(field) && !(hasWrappers && isAboutArguments(field)))
    .map(([, error]) => error);
}

function shownFields(draft: Draft, actions: string | undefined): Set<string> {
  const { runner, algorithm } = draft.offer;
  const fields = [
    ...fieldsFor(fieldsOf(algorithm.params_schema), actions),
    ...fieldsOf(otherOptions(runner)),
  ].map(({ name }) => name);
  return new Set([
    ...fields,
    "total_timesteps",
    MAX_SECONDS,
    MAX_EPISODES,
    "seed",
    ...(draft.start ? ["start_from"] : []),
    ...(learnsFromData(draft.offer) ? ["dataset", "env_id"] : []),
    ...(algorithm.prefill && draft.dataset ? ["dataset"] : []),
    ...(runner.capabilities.own_reward ? ["reward"] : []),
  ]);
}
