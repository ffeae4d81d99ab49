/** The facts of a checkpoint as rows. Pure. */
import type { CheckpointDetail } from "@/api/types";
import { scoreText } from "@/entities/checkpoints/score";
import { formatBytes, formatCount, formatDate } from "@/lib/format";

export interface Fact {
  title: string;
  value: string;
}

const ORIGINS: Record<CheckpointDetail["origin"], string> = {
  lab: "trained in this lab",
  script: "written by a script",
  pack: "from an imported pack",
  adopted: "from an adopted folder",
  import: "imported as a file",
};

export function factsOf(item: CheckpointDetail): Fact[] {
  const rows: [title: string, value: string | null | undefined][] = [
    ["Environment", item.env_id],
    ["Algorithm", item.algorithm.toUpperCase()],
    ["Runner", item.runner],
    ["Steps", stepsText(item)],
    ["Return", scoreText(item.score)],
    ["Seed", item.seed == null ? null : String(item.seed)],
    ["Preset", item.preset],
    ["Origin", [ORIGINS[item.origin], item.origin_detail].filter(Boolean).join(": ")],
    ["Saved", formatDate(item.created_at)],
    ["Size", formatBytes(item.size)],
  ];
  return rows.flatMap(([title, value]) => (value ? [{ title, value }] : []));
}

/** "40,000 of 100,000". */
function stepsText({ timestep, total_timesteps: total }: CheckpointDetail): string {
  return total ? `${formatCount(timestep)} of ${formatCount(total)}` : formatCount(timestep);
}

/** Hyper-parameters, and the arguments of the environment under their own names. */
export const configOf = ({ params, env_kwargs }: Pick<CheckpointDetail, "params" | "env_kwargs">) => ({
  ...params,
  ...(Object.keys(env_kwargs).length > 0 ? { env: env_kwargs } : {}),
});
