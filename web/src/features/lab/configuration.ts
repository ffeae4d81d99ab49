/** What the left column of the lab holds, and how it becomes a run. Pure. */
import type { Algorithm, Environment, NewRun, Preset, Runner } from "@/api/types";
import { fieldsOf, type Values } from "@/schema-form/fields";
import { changesFrom, problemOf } from "@/schema-form/values";

export const DEFAULT_ENV = "CartPole-v1";
export const DEFAULT_RUNNER = "sb3";

export interface Offer {
  runner: Runner;
  algorithm: Algorithm;
}

/** "sb3/ppo": runner and algorithm in one word, for links and the choice. */
export const offerId = (offer: Offer): string => `${offer.runner.id}/${offer.algorithm.id}`;

export function offersOf(runners: readonly Runner[]): Offer[] {
  return runners.flatMap((runner) => runner.algorithms.map((algorithm) => ({ runner, algorithm })));
}

/** Why this cannot be trained here, in words; null when it can. */
export function whyNotOffer(offer: Offer, environment: Environment | undefined): string | null {
  if (!offer.runner.ready)
    return `${offer.runner.name} is not ready: ${offer.runner.problems.map((p) => p.remedy).join(" ")}`;
  if (!environment || environment.action_space_type === "other") return null;
  if (offer.algorithm.action_kinds.includes(environment.action_space_type)) return null;
  return `${offer.algorithm.name} needs ${offer.algorithm.action_kinds.join(" or ")} actions; ${environment.id} has ${environment.action_space_type} ones.`;
}

/** The offer a link names, else the first that can learn the environment. */
export function chosenOffer(
  offers: Offer[],
  id: string | undefined,
  environment: Environment | undefined,
): Offer | undefined {
  const can = offers.filter((offer) => whyNotOffer(offer, environment) === null);
  const named = can.find((offer) => offerId(offer) === id || offer.algorithm.id === id);
  return named ?? can.find((offer) => offer.runner.id === DEFAULT_RUNNER) ?? can[0] ?? offers[0];
}

/** The presets that apply: one made for the environment hides the general one of the same name. */
export function presetsFor(algorithm: Algorithm, envId: string): Preset[] {
  const byId = new Map<string, Preset>();
  for (const preset of algorithm.presets) {
    if (preset.env_id === envId || (!preset.env_id && !byId.has(preset.id))) byId.set(preset.id, preset);
  }
  return [...byId.values()];
}

export interface Draft {
  envId: string;
  offer: Offer;
  preset: Preset | undefined;
  params: Values;
  totalTimesteps: number | null;
  seed: number | null;
}

export function newRunOf(draft: Draft): NewRun {
  const start = { ...defaults(draft.offer.algorithm), ...draft.preset?.params };
  return {
    env_id: draft.envId,
    runner: draft.offer.runner.id,
    algorithm: draft.offer.algorithm.id,
    preset: draft.preset?.id ?? null,
    params: changesFrom(start, { ...start, ...draft.params }),
    total_timesteps: draft.totalTimesteps,
    seed: draft.seed,
    start: true,
  };
}

/** What must be put right before TRAIN can be pressed; null when nothing. */
export function draftProblem(draft: Draft): string | null {
  const refused = draft.offer.runner.ready ? null : whyNotOffer(draft.offer, undefined);
  const wrong = fieldsOf(draft.offer.algorithm.params_schema).filter(
    (field) => field.name in draft.params && problemOf(field, draft.params[field.name]) !== null,
  );
  if (refused) return refused;
  if (wrong.length > 0) return `Put right first: ${wrong.map((field) => field.title).join(", ")}.`;
  return draft.totalTimesteps !== null && draft.totalTimesteps < 1
    ? "Total timesteps must be at least 1."
    : null;
}

function defaults(algorithm: Algorithm): Values {
  return Object.fromEntries(fieldsOf(algorithm.params_schema).map((field) => [field.name, field.default]));
}
