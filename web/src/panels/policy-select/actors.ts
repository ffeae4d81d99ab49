/** How models that can act are listed and named. Pure. */
import type { CheckpointItem } from "@/api/types";
import { placeText, versionName } from "@/entities/checkpoints/words";
import { formatNumber } from "@/lib/format";

export interface PolicyChoice {
  runId: string;
  /** Absent: the run's best. */
  checkpoint?: string;
}

export const RANDOM = "Random actions";

/** The best checkpoint of a run is a second file of its step: it is listed once, as the best, unless the other acts. */
export function withoutTwins(
  items: readonly CheckpointItem[],
  policy: PolicyChoice | null,
): CheckpointItem[] {
  const place = ({ run_id, timestep }: CheckpointItem) => `${run_id}@${timestep}`;
  const best = new Set(items.filter((item) => item.is_best).map(place));
  return items.filter((item) => item.is_best || item.id === policy?.checkpoint || !best.has(place(item)));
}

export function isActing({ id, run_id, is_best }: CheckpointItem, policy: PolicyChoice | null): boolean {
  return policy?.checkpoint ? id === policy.checkpoint : run_id === policy?.runId && Boolean(is_best);
}

type Named = Pick<CheckpointItem, "run_name" | "timestep" | "role" | "models">;

/** "lander v3", or the run it is from. */
export function actorTitle({ run_name, models = [] }: Named): string {
  return models.map(({ name, version }) => versionName(name, version)).join(", ") || run_name;
}

/** "run lander, step 40,000, best · 212 · ppo"; with its environment where several are listed. */
export function actorDetail(item: CheckpointItem, isOfAny: boolean): string {
  const { run_name, models = [], score, algorithm, env_id } = item;
  const place = `${placeText(item)}${item.is_best ? ", best" : ""}`;
  const parts = [
    isOfAny && env_id,
    models.length > 0 ? `${run_name}, ${place}` : place,
    score && formatNumber(score.mean),
    algorithm,
  ];
  return parts.filter(Boolean).join(" · ");
}
