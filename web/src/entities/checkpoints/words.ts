/** How a checkpoint is named on the page. Pure. */
import type { CheckpointItem } from "@/api/types";
import { formatCount } from "@/lib/format";

type Named = Pick<CheckpointItem, "run_name" | "timestep" | "role">;

/** "lander · step 40,000"; without a step, its role. */
export const checkpointName = (item: Named): string => `${item.run_name} · ${placeText(item)}`;

/** "step 40,000", "final". */
export function placeText({ timestep, role }: Omit<Named, "run_name">): string {
  return timestep === null || timestep === undefined
    ? (role ?? "checkpoint")
    : `step ${formatCount(timestep)}`;
}

/** "best", "newest", or the role that the runner gave it. */
export function rolesOf(item: Pick<CheckpointItem, "role" | "is_best" | "is_newest">): string[] {
  const own = item.role && !["best", "interval"].includes(item.role) ? [item.role] : [];
  return [...(item.is_best ? ["best"] : []), ...(item.is_newest ? ["newest"] : []), ...own];
}

/** "lander v3". */
export const versionName = (name: string, version: number): string => `${name} v${version}`;

export const shortHash = (sha256: string): string => sha256.slice(0, 8);

/** Why two checkpoints cannot duel; null when they can. */
export function whyNoDuel(a: CheckpointItem, b: CheckpointItem): string | null {
  if (a.env_id !== b.env_id)
    return `A duel needs one environment; these were trained in ${a.env_id} and ${b.env_id}.`;
  const still = [a, b].find((item) => !item.is_playable);
  return still ? `The lab cannot act with ${checkpointName(still)}.` : null;
}

/** Why these rows cannot be compared; null when they can. */
export const whyNotCompare = (chosen: readonly unknown[]): string | null =>
  chosen.length === 2 ? null : "Select exactly two checkpoints to compare.";
