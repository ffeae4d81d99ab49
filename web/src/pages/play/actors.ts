/** The models that can act on a stage, those of its environment first. Pure. */
import type { CheckpointItem, StageProblem } from "@/api/types";
import { versionName } from "@/entities/checkpoints/words";
import { formatCount, formatNumber } from "@/lib/format";
import type { Option } from "@/ui/Select";
import type { PlaySearch } from "./search";

export const NOBODY = "";

export function actorOptions(
  items: readonly CheckpointItem[],
  envId: string | undefined,
  acting?: string,
): Option<string>[] {
  const playable = withoutTwins(
    items.filter((item) => item.is_playable),
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

/** The address of the stage on which a refused model can act; null when another environment would not help. */
export function switchOf(problem: StageProblem | null | undefined): PlaySearch | null {
  if (!problem?.env_id || !problem.run_id) return null;
  return { env: problem.env_id, run: problem.run_id, checkpoint: problem.checkpoint ?? undefined };
}

/** What the socket of a stage is asked for. */
export function stageQuery({ env, run, checkpoint }: PlaySearch): string | null {
  if (!env && !run) return null;
  const query = new URLSearchParams();
  if (env) query.set("env_id", env);
  if (run) query.set("run_id", run);
  if (checkpoint) query.set("checkpoint", checkpoint);
  return query.toString();
}
