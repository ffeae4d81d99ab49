/** What the left column of the lab holds, and how it becomes a run. Pure. */
import type { Algorithm, Environment, NewRun, Preset, Runner } from "@/api/types";
import { readSpelledCode } from "@/entities/codes/words";
import { readSpelled } from "@/entities/datasets/words";
import { chosenOffer, learnsFromData, type Offer, whyNotOffer } from "@/entities/runners/offers";
import { readStart } from "@/entities/runs/form-link";
import { parseSeeds } from "@/entities/studies/seeds";
import { defaultsOf, type Field, fieldsOf, type Schema, type Values } from "@/schema-form/fields";
import { changesFrom, problemOf } from "@/schema-form/values";

export const DEFAULT_ENV = "CartPole-v1";
/** Only of use together with a reward, whose field shows it. */
export const JUDGE_BY = "judge_by" satisfies keyof NewRun;
/** The option with a switch of its own, which shows the environment's threshold. */
export const UNTIL = "until" satisfies keyof NewRun;
export const SOLVED = "solved" satisfies NewRun["until"];
/** The parameter that everybody looks for. */
export const LEARNING_RATE = "learning_rate";
/** What the lab trains when neither the user nor a preset names a length. */
export const DEFAULT_TIMESTEPS = 100_000;
/** The runners of the offers, preferred ones first. */
export const runnersOf = (offers: readonly Offer[]): Runner[] => [...new Set(offers.map((o) => o.runner))];

/** The offer of another runner nearest to this one: the same algorithm, else the first that can learn here. */
export function offerOfRunner(
  offers: readonly Offer[],
  runnerId: string,
  now: Offer,
  environment: Environment | undefined,
): Offer | undefined {
  const own = offers.filter((o) => o.runner.id === runnerId && whyNotOffer(o, environment) === null);
  return own.find((o) => o.algorithm.id === now.algorithm.id) ?? own[0];
}

/** Every algorithm once: with the chosen runner where it can learn the environment, else with the first that can. */
export function algorithmChoices(
  offers: readonly Offer[],
  chosen: Offer,
  environment: Environment | undefined,
): { offer: Offer; reason: string | null }[] {
  // Learning from a dataset is another question: its algorithms are not mixed with those that play.
  const alike = offers.filter((o) => learnsFromData(o) === learnsFromData(chosen));
  const ids = [...new Set(alike.map((o) => o.algorithm.id))];
  return ids.map((id) => {
    const all = alike.filter((o) => o.algorithm.id === id);
    const can = all.filter((o) => whyNotOffer(o, environment) === null);
    const isOwn = (o: Offer) => o.runner.id === chosen.runner.id;
    const offer = can.find(isOwn) ?? can[0] ?? all.find(isOwn) ?? all[0]!;
    return { offer, reason: whyNotOffer(offer, environment) };
  });
}

/** Why nothing of a runner can learn the environment; null when something can. */
export function whyNotRunner(
  offers: readonly Offer[],
  runnerId: string,
  environment: Environment | undefined,
): string | null {
  const reasons = offers.filter((o) => o.runner.id === runnerId).map((o) => whyNotOffer(o, environment));
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

/** Why the quicker runner is not the chosen one; null when it is, or when the user chose another. */
export function runnerNote(
  offers: readonly Offer[],
  chosen: Offer,
  environment: Environment | undefined,
): string | null {
  const first = runnersOf(offers)[0];
  return !first || first.id === chosen.runner.id ? null : whyNotRunner(offers, first.id, environment);
}

/** The presets that say how to learn: one made for the environment hides the general one of the same name. */
export const presetsFor = (algorithm: Algorithm, envId: string): Preset[] =>
  applyingPresets(algorithm, envId).filter(({ question }) => question !== "how_long");

/** The presets that say how long: short, medium, long, as numbers of steps. */
export const lengthsFor = (algorithm: Algorithm, envId: string): Preset[] =>
  applyingPresets(algorithm, envId).filter(({ question }) => question === "how_long");

function applyingPresets(algorithm: Algorithm, envId: string): Preset[] {
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
  /** Undefined: as long as the preset says. */
  length: Preset | undefined;
  params: Values;
  /** Null: as long as the preset says. Not a number while what is typed is none. */
  totalTimesteps: number | null;
  /** Not a number while what is typed is none. */
  seed: number | null;
  /** As typed: a number of seeds, or the seeds; empty for one run. */
  seeds: string;
  /** The checkpoint whose weights it starts with, as a link spells it; empty: from nothing. */
  start: string;
  /** What it learns from, or begins its replay buffer with, as a link spells it; empty: none. */
  dataset: string;
  /** The saved reward it learns from, as a link spells it; empty: the environment's. */
  reward: string;
  /** Empty: the lab names the run. */
  name: string;
  tags: string[];
  /** Run options that differ from their defaults, by name; the runner's schema lists them. */
  options: Values;
  /** Arguments of the environment, its wrappers among them. */
  envKwargs: Values;
}

/** The parameters before anything is typed: defaults, then the preset. */
export const startOf = (draft: Draft): Values => ({
  ...defaultsOf(fieldsOf(draft.offer.algorithm.params_schema)),
  ...draft.preset?.params,
});

export function newRunOf(draft: Draft, environment?: Environment): NewRun {
  const start = startOf(draft);
  return {
    env_id: draft.envId,
    runner: draft.offer.runner.id,
    algorithm: draft.offer.algorithm.id,
    preset: draft.preset?.id ?? null,
    length: draft.totalTimesteps === null ? (draft.length?.id ?? null) : null,
    params: changesFrom(start, { ...start, ...draft.params }),
    total_timesteps: draft.totalTimesteps,
    seed: draft.seed,
    name: draft.name.trim() || null,
    tags: draft.tags,
    ...(Object.keys(draft.envKwargs).length > 0 ? { env_kwargs: draft.envKwargs } : {}),
    ...(draft.dataset ? { dataset: readSpelled(draft.dataset) } : {}),
    ...(draft.reward ? { reward: readSpelledCode(draft.reward) } : {}),
    ...(draft.start ? { start_from: readStart(draft.start) } : {}),
    ...supportedOptions(draft, environment),
    start: true,
  };
}

/** As much of the draft as decides what its reward sees and costs. */
export function rewardQuestionOf(draft: Draft): NewRun {
  const { env_id, runner, algorithm, env_kwargs, dataset, reward } = newRunOf(draft);
  return { env_id, runner, algorithm, env_kwargs, dataset, reward };
}

/** Without those that the chosen runner does not follow, or that the environment gives no meaning. */
function supportedOptions(draft: Draft, environment: Environment | undefined): Values {
  const isUseless = (name: string) =>
    name === UNTIL && environment && !canStopEarly(draft.offer, environment);
  const fields = fieldsOf(draft.offer.runner.options_schema).filter(
    ({ name }) => name in draft.options && !isUseless(name),
  );
  return Object.fromEntries(fields.map(({ name }) => [name, draft.options[name]]));
}

/** Whether the runner can stop early in this environment: it needs a threshold. */
export const canStopEarly = (offer: Offer, environment: Environment | undefined): boolean =>
  environment?.reward_threshold != null && UNTIL in propertiesOf(offer.runner.options_schema);

/** The options without those that say when the run ends, which have fields of their own. */
export const otherOptions = (runner: Runner): Schema =>
  [UNTIL, JUDGE_BY, "max_seconds", "max_episodes"].reduce(without, runner.options_schema);

/** The parameters without the one that is always in view. */
export const otherParameters = (algorithm: Algorithm): Schema =>
  without(algorithm.params_schema, LEARNING_RATE);

function without(schema: Schema, name: string): Schema {
  const { [name]: _, ...properties } = propertiesOf(schema);
  return { ...schema, properties };
}

const propertiesOf = (schema: Schema): Schema => (schema.properties ?? {}) as Schema;

/** What TRAIN names: the environment of the form, when the stage shows another one. */
export function trainedName(
  draft: Draft | null,
  environment: Environment | undefined,
  staged: string | null,
): string | null {
  if (draft === null || staged === null || staged === draft.envId) return null;
  return environment?.name ?? draft.envId;
}

/** What must be fixed before TRAIN can be pressed; null when nothing. */
export function draftProblem(draft: Draft, environment?: Environment): string | null {
  if (learnsFromData(draft.offer) && !draft.dataset) return "Choose a dataset to learn from.";
  // What learns from a dataset needs its environment for evaluations only.
  if (environment?.problem && !(draft.dataset && learnsFromData(draft.offer)))
    return [environment.problem, environment.remedy].filter(Boolean).join(" ");
  const refused = draft.offer.runner.ready ? null : whyNotOffer(draft.offer, undefined);
  const wrong = [
    ...wrongFields(draft.offer.algorithm.params_schema, draft.params),
    ...wrongFields(draft.offer.runner.options_schema, draft.options),
  ];
  if (refused) return refused;
  if (wrong.length > 0) return `Fix first: ${wrong.map((field) => field.title).join(", ")}.`;
  const length = learnsFromData(draft.offer) ? "Updates" : "Total timesteps";
  if (Number.isNaN(draft.totalTimesteps)) return `${length}: one whole number, such as 300,000.`;
  if (Number.isNaN(draft.seed)) return "Seed: one whole number, such as 3.";
  const { problem } = parseSeeds(draft.seeds);
  if (problem) return `Seeds: ${problem}`;
  return draft.totalTimesteps !== null && draft.totalTimesteps < 1 ? `${length} must be at least 1.` : null;
}

const wrongFields = (schema: Schema, values: Values): Field[] =>
  fieldsOf(schema).filter((field) => field.name in values && problemOf(field, values[field.name]) !== null);

/** The first run of a new user: quick, and it stops when the environment is solved. */
export function firstRun(offers: readonly Offer[]): NewRun {
  const offer = chosenOffer([...offers], "ppo", undefined);
  return {
    env_id: DEFAULT_ENV,
    runner: offer?.runner.id ?? "sb3",
    algorithm: offer?.algorithm.id ?? "ppo",
    preset: offer ? (presetsFor(offer.algorithm, DEFAULT_ENV)[0]?.id ?? null) : null,
    [UNTIL]: SOLVED,
    start: true,
  };
}
