/** The settings of a run that are not parameters: a readable label, the name in config.json, the value. Pure. */
import type { Run, TrainConfig } from "@/api/types";
import { spellCode } from "@/entities/codes/words";
import { spell } from "@/entities/datasets/words";
import { trainConfigOf } from "@/entities/runs/words";
import { formatCount, formatDuration } from "@/lib/format";
import type { Config } from "@/panels/config-diff/diff";
import { otherArguments, type Wrapper, withoutWrappers, wrappersOf } from "@/panels/wrappers/chosen";
import { fieldsOf, readableName, type Schema } from "@/schema-form/fields";

export interface Fact {
  title: string;
  /** As the API and config.json spell it. */
  name: string;
  value: string;
}

export function factsOf(run: Run, options: Schema): Fact[] {
  const config = trainConfigOf(run);
  if (config === null) return [{ title: "Kind", name: "kind", value: run.kind }];
  return [
    { title: "Environment", name: "env_id", value: config.env_id || "unknown" },
    ...environmentFacts(config.env_kwargs ?? {}),
    { title: "Algorithm", name: "algorithm", value: config.algorithm },
    { title: "Runner", name: "runner", value: config.runner },
    { title: "Preset", name: "preset", value: config.preset ?? "none" },
    ...(config.length ? [{ title: "Length", name: "length", value: config.length }] : []),
    { title: "Seed", name: "seed", value: config.seed === null ? "unknown" : String(config.seed) },
    ...(config.dataset ? [{ title: "Dataset", name: "dataset", value: datasetText(config.dataset) }] : []),
    ...(config.reward ? [{ title: "Reward", name: "reward", value: rewardText(config.reward) }] : []),
    {
      title: config.dataset && !config.prefill ? "Updates" : "Timesteps",
      name: "total_timesteps",
      value: stepsText(config),
    },
    ...optionFacts(config, options),
    { title: "Attempt", name: "attempt", value: String(run.attempt) },
  ];
}

/** What the environment was made with, and its wrappers from the inside out. */
function environmentFacts(envKwargs: Config): Fact[] {
  const given = otherArguments(envKwargs).join(", ");
  const wrappers = wrappersOf(envKwargs).map(wrapperText).join(", ");
  return [
    ...(given ? [{ title: "Arguments", name: "env_kwargs", value: given }] : []),
    ...(wrappers ? [{ title: "Wrappers", name: "wrappers", value: wrappers }] : []),
  ];
}

/** "time_limit (steps = 200)" */
function wrapperText({ id, ...settings }: Wrapper): string {
  const given = otherArguments(withoutWrappers(settings)).join(", ");
  return given ? `${id} (${given})` : id;
}

/** "lander-expert@v2, 3f2a9c01b7d4" */
const datasetText = (dataset: NonNullable<TrainConfig["dataset"]>): string =>
  [spell(dataset), dataset.sha256?.slice(0, 12)].filter(Boolean).join(", ");

/** "gentle@v2, 3f2a9c01b7d4" */
const rewardText = (reward: NonNullable<TrainConfig["reward"]>): string =>
  [spellCode(reward), reward.sha256?.slice(0, 12)].filter(Boolean).join(", ");

const stepsText = ({ total_timesteps: steps, expected_steps: expected }: TrainConfig): string => {
  if (steps) return formatCount(steps);
  return expected ? `no limit (about ${formatCount(expected)} expected)` : "decided by the script";
};

function optionFacts(config: TrainConfig, options: Schema): Fact[] {
  const values = new Map<string, unknown>(Object.entries(config));
  return fieldsOf(options).map(({ name, title }) => ({
    title,
    name,
    value: optionText(name, values.get(name)),
  }));
}

function optionText(name: string, value: unknown): string {
  if (name === "max_seconds" || name === "max_episodes") {
    if (typeof value !== "number") return "no limit";
    return name === "max_seconds" ? formatDuration(value) : formatCount(value);
  }
  return wordOf(value);
}

function wordOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return formatCount(value);
  return value === null || value === undefined ? "default" : String(value);
}

/** The arguments that a captured or adopted script reported; null when it reported none. */
export function argumentsOf(run: Run): Config | null {
  const args = trainConfigOf(run)?.args ?? {};
  return Object.keys(args).length > 0 ? args : null;
}

/** The parameters of a training; everything there is of another kind of run. */
export const parametersOf = (run: Run): Config =>
  trainConfigOf(run)?.params ?? (Object.fromEntries(Object.entries(run.config)) as Config);

/** Labels for the settings of a run that no schema describes, such as an evaluation. */
export const readableNames = (run: Run): Record<string, string> =>
  run.kind === "train"
    ? {}
    : Object.fromEntries(Object.keys(parametersOf(run)).map((name) => [name, readableName(name)]));
