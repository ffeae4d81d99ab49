/** A run described in a few words. Pure. */
import type { Run, TrainConfig } from "@/api/types";
import { formatCount, formatNumber, formatPlural } from "@/lib/format";
import { fieldsOf, type Schema, type Values } from "@/schema-form/fields";
import { isSame } from "@/schema-form/values";

export const trainConfigOf = (run: Run): TrainConfig | null =>
  run.config.kind === "train" ? run.config : null;

/** Environment, algorithm, runner, seed: the line under a run's name. */
export function factsOf(run: Run): string[] {
  const config = trainConfigOf(run);
  if (config === null) return [run.kind];
  return [
    config.env_id,
    config.algorithm.toUpperCase(),
    config.runner,
    config.seed === null ? "" : `seed ${config.seed}`,
  ].filter(Boolean);
}

/** "120 of 500 steps", "3 of 5 episodes"; the total is unknown for some scripts. */
export function progressText({ progress }: Pick<Run, "progress">): string {
  const { timestep, total_timesteps: total, unit } = progress;
  return total > 0
    ? `${formatCount(timestep)} of ${formatPlural(total, unit)}`
    : formatPlural(timestep, unit);
}

/** "12.3k" steps of a training, "5 episodes" of an evaluation. */
export function workDone(run: Run): string {
  const { timestep, unit } = run.progress;
  return unit === "step" ? formatNumber(timestep, 4) : formatPlural(timestep, unit);
}

/** The words of a script's command line; null for a run of the lab's own runners. */
export function scriptOf(run: Run): string[] | null {
  const words = trainConfigOf(run)?.params.command;
  return Array.isArray(words) ? words.map(String) : null;
}

/** The command that starts the same run again; only what differs from the defaults is included. */
export function commandOf(
  run: Run,
  changed: Values,
  optionsSchema: Schema = {},
  usualSteps?: number | null,
): string {
  const config = trainConfigOf(run);
  if (config === null || run.source) return "";
  const script = scriptOf(run);
  if (script)
    return [`rl-lab run${config.runner === "program" ? " --protocol" : ""} --`, ...script.map(quoted)].join(
      " ",
    );
  const parts = [
    "rl-lab train",
    config.env_id,
    `--algorithm ${config.algorithm}`,
    `--runner ${config.runner}`,
  ];
  if (config.preset) parts.push(`--preset ${config.preset}`);
  if (config.length) parts.push(`--length ${config.length}`);
  else if (config.total_timesteps !== usualSteps) parts.push(`--timesteps ${config.total_timesteps}`);
  parts.push(`--seed ${config.seed}`);
  parts.push(...changedOptions(config, optionsSchema));
  for (const [name, value] of Object.entries(config.env_kwargs))
    parts.push(`--env-arg ${name}=${quoted(value)}`);
  for (const [name, value] of Object.entries(changed)) parts.push(`--set ${name}=${quoted(value)}`);
  return parts.join(" ");
}

/** The run options that differ from their defaults, as the command line spells them. */
function changedOptions(config: TrainConfig, schema: Schema): string[] {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const values = new Map(Object.entries(config));
  return fieldsOf(schema)
    .filter((field) => !isSame(values.get(field.name), field.default))
    .map(({ name, kind }) => {
      const [spelled = `--${name.replaceAll("_", "-")}`] = (properties[name]!["x-cli"] ?? []) as string[];
      const value = values.get(name);
      if (kind === "boolean") return value ? spelled : spelled.replace("--", "--no-");
      return `${spelled} ${quoted(value)}`;
    });
}

function quoted(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;
}
