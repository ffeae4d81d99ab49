/** The settings in an exported config.json, to start or to open in the form; or why they cannot be used. Pure. */
import type { Runner, TrainConfig } from "@/api/types";
import { formSearchOf } from "./form-link";

/** No configuration is longer; a larger file is something else. */
export const MAX_CONFIG_BYTES = 1_000_000;

/** Typed by hand or written by another version: any setting but the algorithm may be missing. */
export type FileConfig = Pick<TrainConfig, "algorithm"> & Partial<TrainConfig>;
export type Found<T> = { found: T; problem?: undefined } | { found?: undefined; problem: string };

export function configIn(fileName: string, text: string): Found<FileConfig> {
  const parsed = jsonIn(text);
  if (parsed === undefined) return { problem: `“${fileName}” is not JSON. Drop the config.json of a run.` };
  const values = typeof parsed === "object" && parsed !== null ? new Map(Object.entries(parsed)) : new Map();
  const kind = values.get("kind") ?? "train";
  if (kind !== "train")
    return { problem: `“${fileName}” belongs to a run of kind ${kind}. Drop the config.json of a training.` };
  if (typeof values.get("algorithm") !== "string")
    return {
      problem: `“${fileName}” names no algorithm, so it is not the configuration of a training. Drop the config.json of a run.`,
    };
  return { found: Object.fromEntries(values) as FileConfig };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The search of the link that opens the form with them. */
export type FormSettings = NonNullable<ReturnType<typeof formSearchOf>>;

export function formOf(
  fileName: string,
  config: FileConfig,
  runners: readonly Runner[],
): Found<FormSettings> {
  const has = ({ algorithms }: Runner) => algorithms.some(({ id }) => id === config.algorithm);
  const runner = config.runner ? runners.find(({ id }) => id === config.runner) : runners.find(has);
  if (!runner)
    return {
      problem: `“${fileName}” uses ${config.runner ?? config.algorithm}, which this lab does not have.`,
    };
  if (runner.capabilities.own_environment)
    return { problem: `“${fileName}” belongs to a script. Drop it on the page Runs to start it again.` };
  if (!has(runner))
    return { problem: `“${fileName}” uses ${config.algorithm}, which ${runner.name} does not have.` };
  const search = formSearchOf({ ...config, runner: runner.id }, runners);
  if (!search) return { problem: `The form cannot show the settings in “${fileName}”.` };
  return { found: search };
}
