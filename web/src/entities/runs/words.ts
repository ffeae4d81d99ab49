/** A run described in a few words. Pure. */
import type { Run, TrainConfig } from "@/api/types";
import { formatBytes, formatCount, formatNumber, formatPlural } from "@/lib/format";

export const trainConfigOf = (run: Run): TrainConfig | null =>
  run.config.kind === "train" ? run.config : null;

/** Environment, algorithm, runner, seed: the line under a run's name. */
export function factsOf(run: Run): string[] {
  const config = trainConfigOf(run);
  if (run.kind === "play") return [run.env_id ?? "", run.kind].filter(Boolean);
  if (config === null) return [run.kind];
  return [
    config.env_id,
    config.algorithm.toUpperCase(),
    config.runner,
    config.seed === null ? "" : `seed ${config.seed}`,
  ].filter(Boolean);
}

/** Whether it is known when the run ends: by steps, time or episodes. */
export function hasKnownEnd(run: Run): boolean {
  const config = trainConfigOf(run);
  return run.progress.total_timesteps > 0 || !!config?.max_seconds || !!config?.max_episodes;
}

/** "120 of 500 steps", "3 of 5 episodes"; the total is unknown for some scripts. */
export function progressText({ progress }: Pick<Run, "progress">): string {
  const { timestep, total_timesteps: total, unit } = progress;
  if (unit === "byte") return `${formatBytes(timestep)} of ${formatBytes(total)}`;
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

/** Whether all of it is foreign code; a training in an environment of the user's own is confined, too, but not that. */
export function isProgram(run: Run): boolean {
  return (Boolean(run.isolation) && !executesOwnCode(run)) || scriptOf(run) !== null;
}

const executesOwnCode = (run: Run): boolean => {
  const config = trainConfigOf(run);
  const wrappers = config?.env_kwargs?.wrappers;
  const isCustom = Array.isArray(wrappers) && wrappers.some((one) => one?.id === "custom");
  return Boolean(config?.env_id?.startsWith("own:")) || isCustom;
};

/** The folders an adopted run was read from, and whether it is still followed. */
export function adoptedFrom(source: NonNullable<Run["source"]>): string {
  const more = source.joined.length;
  const others = more > 0 ? ` and ${formatPlural(more, "more folder")}` : "";
  return `${source.folder}${others}${source.is_followed ? ", followed" : ""}`;
}
