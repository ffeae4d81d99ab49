/** Addresses of the stage, on which a model acts and nothing is kept. Pure. */
import type { StageProblem } from "@/api/types";
import type { PlaySearch } from "./search";

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
