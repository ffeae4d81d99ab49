/** The models that can act on a stage, those of its environment first. Pure. */
import type { CheckpointItem, StageProblem } from "@/api/types";
import { formatCount, formatNumber } from "@/lib/format";
import type { Option } from "@/ui/Select";
import type { PlaySearch } from "./search";

export const NOBODY = "";

export function actorOptions(items: readonly CheckpointItem[], envId: string | undefined): Option<string>[] {
  const playable = items.filter((item) => item.is_playable);
  const here = playable.filter((item) => item.env_id === envId);
  const elsewhere = playable.filter((item) => item.env_id !== envId);
  return [
    { value: NOBODY, title: "Random actions" },
    ...here.map((item) => ({ value: item.id, title: titleOf(item) })),
    ...elsewhere.map((item) => ({ value: item.id, title: `${item.env_id}: ${titleOf(item)}` })),
  ];
}

function titleOf({ run_name, timestep, score }: CheckpointItem): string {
  const step = `${run_name}, step ${formatCount(timestep)}`;
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
