/** What can train: every algorithm of every runner, and why one cannot train in an environment. Pure. */
import type { Algorithm, Environment, Runner } from "@/api/types";

/** Offered first where they are possible. */
const PREFERRED_RUNNERS = ["turbo", "sb3"];

export interface Offer {
  runner: Runner;
  algorithm: Algorithm;
}

/** "sb3/ppo": runner and algorithm in one word, for links and the choice. */
export const offerId = (offer: Offer): string => `${offer.runner.id}/${offer.algorithm.id}`;

export function offersOf(runners: readonly Runner[]): Offer[] {
  const rank = ({ id }: Runner) => PREFERRED_RUNNERS.indexOf(id) + 1 || PREFERRED_RUNNERS.length + 1;
  // A script that makes its own environment is started by its command, not from this form.
  return runners
    .filter((runner) => !runner.capabilities.own_environment)
    .sort((a, b) => rank(a) - rank(b))
    .flatMap((runner) => runner.algorithms.map((algorithm) => ({ runner, algorithm })));
}

/** The offer a link names, or the first of the runner it names; else the first that can learn the environment. */
export function chosenOffer(
  offers: Offer[],
  id: string | undefined,
  environment: Environment | undefined,
): Offer | undefined {
  const can = offers.filter((offer) => whyNotOffer(offer, environment) === null);
  const named =
    can.find((offer) => offerId(offer) === id || offer.algorithm.id === id) ??
    can.find((offer) => offer.runner.id === id);
  return named ?? can[0] ?? offers[0];
}

/** Whether it learns from a dataset alone; then its steps are updates. */
export const learnsFromData = ({ runner }: Pick<Offer, "runner">): boolean =>
  runner.capabilities.dataset ?? false;

/** Whether a run may name a dataset: what it learns from, or what its replay buffer begins with. */
export const takesData = (offer: Offer): boolean => learnsFromData(offer) || offer.algorithm.prefill === true;

/** Why this cannot train in the environment; null when it can. */
export function whyNotOffer(offer: Offer, environment: Environment | undefined): string | null {
  if (!offer.runner.ready)
    return `${offer.runner.name} is not ready: ${offer.runner.problems.map((p) => p.remedy).join(" ")}`;
  if (!environment) return null;
  if (offer.runner.capabilities.vectors_only && !isVector(environment))
    return `${offer.runner.name} needs vector observations; ${environment.id} has ${environment.obs_space}.`;
  if (environment.action_space_type === "other") return null;
  if (offer.algorithm.action_kinds.includes(environment.action_space_type)) return null;
  return `${offer.algorithm.name} needs ${offer.algorithm.action_kinds.join(" or ")} actions; ${environment.id} has ${environment.action_space_type} ones.`;
}

const isVector = ({ obs_space_type, obs_space_dims }: Environment): boolean =>
  obs_space_type === "discrete" || (obs_space_type === "box" && obs_space_dims.length <= 1);
