/** Trainings from a dataset and in the environment, on one axis: updates first, then steps. Pure. */
import type { Run } from "@/api/types";
import type { Mark } from "@/charts/plot";
import type { Ancestor } from "./ancestors";
import { joinsOf } from "./joined-curves";

const SWITCH = "offline → online";

/** Whether it learned from a dataset: what it counts is updates. */
export const isOffline = ({ progress }: Pick<Run, "progress">): boolean => progress.unit === "update";

/** Where the curves of a chain meet; named where one learned from a dataset and the next one in the environment. */
export function marksOf(chain: readonly Ancestor[], last: Run): Mark[] {
  const runs = [...chain.map(({ run }) => run), last];
  return joinsOf(chain).map((at, i) => ({
    at,
    label: isOffline(runs[i]!) && !isOffline(runs[i + 1]!) ? SWITCH : "",
  }));
}

/** Where a training from a dataset goes on in the environment by itself: the last steps of its first plan. */
export function ownSwitch({ config, progress }: Run, offset = 0): Mark[] {
  if (config.kind !== "train" || progress.unit !== "update") return [];
  const online = config.params.online_steps;
  const planned = config.lengthened?.schedule_steps ?? progress.total_timesteps;
  if (typeof online !== "number" || online <= 0 || online >= planned) return [];
  return [{ at: offset + planned - online, label: SWITCH }];
}

/** The name of the axis of steps. */
export function stepsTitle(run: Run, chain: readonly Mark[]): string {
  if (chain.some(({ label }) => label !== "")) return "Update, then step";
  if (!isOffline(run)) return "Step";
  return ownSwitch(run).length > 0 ? "Update, then step" : "Update";
}
