/** A run's settings as the form takes them: the link of “Again” and of an insight's “Try it”. Pure. */
import type { Algorithm, InsightChange, Preset, Run, Runner, StartPoint, TrainConfig } from "@/api/types";
import { spellExactCode } from "@/entities/codes/words";
import { spell } from "@/entities/datasets/words";
import { defaultsOf, fieldsOf, type Values } from "@/schema-form/fields";
import { changesFrom, isSame } from "@/schema-form/values";
import { trainConfigOf } from "./words";

/** The preset of this name: the one for the environment hides the general one. */
export const presetOf = (
  algorithm: Algorithm,
  id: string | null | undefined,
  envId: string,
): Preset | undefined =>
  algorithm.presets.find((one) => one.id === id && one.env_id === envId) ??
  algorithm.presets.find((one) => one.id === id && !one.env_id);

/** Those of a run are whole; those of a file may be a few. */
type Settings = Pick<TrainConfig, "runner" | "algorithm"> & Partial<TrainConfig>;

export interface Base {
  /** "preset Fast for CartPole-v1", "the defaults". */
  title: string;
  preset: Preset | undefined;
  params: Values;
  /** Readable names of the parameters. */
  labels: Record<string, string>;
}

/** The parameters before anyone changed them; null when this lab no longer has the algorithm. */
export function baseOf(run: Run, runners: readonly Runner[]): Base | null {
  const config = trainConfigOf(run);
  return config && baseOfConfig(config, runners);
}

function baseOfConfig(config: Settings, runners: readonly Runner[]): Base | null {
  const algorithm = runners
    .find((runner) => runner.id === config.runner)
    ?.algorithms.find((one) => one.id === config.algorithm);
  if (!algorithm) return null;
  const fields = fieldsOf(algorithm.params_schema);
  const defaults = defaultsOf(fields);
  const labels = Object.fromEntries(fields.map(({ name, title }) => [name, title]));
  const preset = presetOf(algorithm, config.preset, config.env_id ?? "");
  if (!preset) return { title: "the defaults", preset, params: defaults, labels };
  const where = preset.env_id ? ` for ${preset.env_id}` : "";
  return {
    title: `preset ${preset.title}${where}`,
    preset,
    params: { ...defaults, ...preset.params },
    labels,
  };
}

/** The search of the link `/` that opens the form with the run's settings and a change to them; null when it cannot. */
export function formSearch(run: Run, runners: readonly Runner[], change?: InsightChange | null) {
  const config = trainConfigOf(run);
  return config && !run.source ? formSearchOf(config, runners, change) : null;
}

/** The same for settings that are not those of a run. */
export function formSearchOf(config: Settings, runners: readonly Runner[], change?: InsightChange | null) {
  const base = baseOfConfig(config, runners);
  const runner = runners.find(({ id }) => id === config.runner);
  if (!base || !runner || runner.capabilities.own_environment) return null;
  const params = changesFrom(base.params, { ...config.params, ...change?.params });
  const options = changedOptions(config, runner);
  const steps = change?.total_timesteps ?? config.total_timesteps;
  const length = steps === config.total_timesteps ? (config.length ?? undefined) : undefined;
  // The preset's steps are a limit only where no time and no number of episodes is.
  const isLimited = !!config.max_seconds || !!config.max_episodes;
  const isUsual = steps === base.preset?.total_timesteps && !isLimited;
  return {
    env: config.env_id,
    algorithm: `${config.runner}/${config.algorithm}`,
    preset: base.preset?.id,
    length,
    steps: length || !steps || isUsual ? undefined : steps,
    seed: config.seed ?? undefined,
    dataset: config.dataset ? spell(config.dataset) : undefined,
    reward: config.reward ? spellExactCode(config.reward) : undefined,
    start: config.start_from ? spellStart(config.start_from) : undefined,
    params: Object.keys(params).length > 0 ? params : undefined,
    options: Object.keys(options).length > 0 ? options : undefined,
    env_kwargs: Object.keys(config.env_kwargs ?? {}).length > 0 ? config.env_kwargs : undefined,
  };
}

type NamedStart = Pick<StartPoint, "run_id"> & Partial<StartPoint>;

/** The checkpoint that a run starts from, as a link spells it: run, checkpoint and hash. */
export const spellStart = ({ run_id, checkpoint, sha256 }: NamedStart): string =>
  [run_id, checkpoint, sha256].filter(Boolean).join("@");

export function readStart(text: string): NamedStart {
  const [run_id = "", checkpoint, sha256] = text.split("@");
  return { run_id, checkpoint, sha256 };
}

function changedOptions(config: object, runner: Runner): Values {
  const values = new Map(Object.entries(config));
  const changed = fieldsOf(runner.options_schema).filter(
    ({ name, default: usual }) => values.has(name) && !isSame(values.get(name), usual),
  );
  return Object.fromEntries(changed.map(({ name }) => [name, values.get(name)]));
}
