/** Short labels for runs shown together: only what differs between them. Pure. */
import type { Run } from "@/api/types";
import { trainConfigOf } from "@/entities/runs/words";
import { flattened, isSameValue, settingText } from "./settings";

const BETWEEN = " · ";
const MOST = 4;

/** By run id. A name that a person gave is kept; runs that would still look alike get the end of their id. */
export function labelsOf(runs: readonly Run[]): Map<string, string> {
  if (runs.length < 2) return new Map(runs.map((run) => [run.id, run.name]));
  const differing = differingSettings(runs);
  const settings = runs.map((_, i) =>
    shortened(differing.flatMap((row) => partOf(row, i, runs[i]!.progress?.unit))),
  );
  const first = runs.map((run, i) => (hasOwnName(run) ? run.name : settings[i] || run.name));
  const second = first.map((label, i) => (isTwice(first, label) ? joined(label, settings[i]!) : label));
  const third = second.map((label, i) =>
    isTwice(second, label) ? joined(label, runs[i]!.id.slice(-4)) : label,
  );
  return new Map(runs.map((run, i) => [run.id, third[i]!]));
}

const isTwice = (labels: readonly string[], label: string) =>
  labels.indexOf(label) !== labels.lastIndexOf(label);
const joined = (label: string, more: string) =>
  more === "" || more === label ? label : label + BETWEEN + more;

/** Whether a person chose the name. */
export function hasOwnName(run: Run): boolean {
  const config = trainConfigOf(run);
  return config === null || !run.name.startsWith(`${config.algorithm.toUpperCase()} on ${config.env_id}`);
}

interface Differing {
  name: string;
  /** One per run. */
  values: unknown[];
}

const partOf = ({ name, values }: Differing, i: number, unit: string | undefined): string[] =>
  values[i] === undefined ? [] : [settingText(name, values[i], unit)];

/** The settings in which these runs differ, the seed last. */
export function differingSettings(runs: readonly Run[]): Differing[] {
  const configs = runs.map(comparable);
  const names = [...new Set(configs.flatMap((config) => Object.keys(config)))];
  return names
    .map((name) => ({ name, values: configs.map((config) => config[name]) }))
    .filter(({ values }) => values.some((value) => !isSameValue(value, values[0])));
}

function comparable(run: Run): Record<string, unknown> {
  const config = trainConfigOf(run);
  if (config === null) return { kind: run.kind };
  const {
    algorithm,
    env_id,
    runner,
    preset,
    params,
    env_kwargs,
    total_timesteps,
    seed,
    max_seconds,
    max_episodes,
  } = config;
  const { command: _, ...others } = params ?? {};
  return {
    algorithm: algorithm?.toUpperCase(),
    env_id,
    runner,
    preset,
    ...flattened(others),
    ...flattened(env_kwargs ?? {}),
    total_timesteps,
    max_seconds,
    max_episodes,
    seed,
  };
}

/** The last part, usually the seed, always stays. */
function shortened(parts: readonly string[]): string {
  if (parts.length <= MOST) return parts.join(BETWEEN);
  return [...parts.slice(0, MOST - 1), `+${parts.length - MOST}`, parts.at(-1)].join(BETWEEN);
}
