/** Whether the lab can install what a runner lacks. Pure. */
import type { Runner } from "@/api/types";

/** Into which Python: the lab's own, or the separate one of the runner; null when there is nothing the lab can install. */
export function installableInto(runner: Runner): "lab" | "separate" | null {
  if (runner.ready) return null;
  if (runner.problems.some((problem) => problem.extra !== null)) return "lab";
  return runner.interpreter === null ? null : "separate";
}
