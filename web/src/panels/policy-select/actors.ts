/** The models that can act in an environment, its own first. Pure. */
import type { CheckpointItem } from "@/api/types";
import { versionName } from "@/entities/checkpoints/words";
import { formatCount, formatNumber } from "@/lib/format";
import type { Option } from "@/ui/Select";

export const NOBODY = "";

export function actorOptions(
  items: readonly CheckpointItem[],
  envId: string | undefined,
  acting?: string,
): Option<string>[] {
  const playable = withoutTwins(
    items.filter((item) => item.acts_live),
    acting,
  );
  const here = playable.filter((item) => item.env_id === envId);
  const elsewhere = playable.filter((item) => item.env_id !== envId);
  return [
    { value: NOBODY, title: "Random actions" },
    ...here.map((item) => ({ value: item.id, title: titleOf(item) })),
    ...elsewhere.map((item) => ({ value: item.id, title: `${item.env_id}: ${titleOf(item)}` })),
  ];
}

/** The best checkpoint of a run is a second file of its step: it is listed once, as the best, unless the other acts. */
function withoutTwins(items: readonly CheckpointItem[], acting: string | undefined): CheckpointItem[] {
  const place = ({ run_id, timestep }: CheckpointItem) => `${run_id}@${timestep}`;
  const best = new Set(items.filter((item) => item.role === "best").map(place));
  return items.filter((item) => item.role === "best" || item.id === acting || !best.has(place(item)));
}

function titleOf({ run_name, timestep, score, role, models }: CheckpointItem): string {
  const named = models.map(({ name, version }) => versionName(name, version)).join(", ");
  const step = `${named && `${named}: `}${run_name}, step ${formatCount(timestep)}${role === "best" ? ", best" : ""}`;
  return score ? `${step} · ${formatNumber(score.mean)}` : step;
}
