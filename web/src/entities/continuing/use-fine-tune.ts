/** Opens the lab's form with the settings of a run and a start from one of its checkpoints; nothing starts. */
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { runnersQuery } from "@/entities/runners/queries";
import { formSearch, spellStart } from "@/entities/runs/form-link";
import { runQuery } from "@/entities/runs/queries";
import { scriptOf, trainConfigOf } from "@/entities/runs/words";
import { toast, toastProblem } from "@/ui/toasts";

/** `checkpoint`: the id of its artifact; the best one when absent. */
export function useFineTune(): (runId: string, checkpoint?: string) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const open = async (runId: string, checkpoint?: string) => {
    const [run, runners] = await Promise.all([
      client.ensureQueryData(runQuery(runId)),
      client.ensureQueryData(runnersQuery),
    ]);
    const search = whyNotFineTune(run) === null ? formSearch(run, runners) : null;
    if (!search) return toast(whyNotFineTune(run) ?? NO_ALGORITHM, { tone: "warn" });
    const start = spellStart({ run_id: run.id, checkpoint });
    await navigate({ to: "/", search: { ...search, seed: undefined, way: "new", start } });
  };
  return (runId, checkpoint) => void open(runId, checkpoint).catch(toastProblem);
}

const NO_ALGORITHM = "This lab no longer has the algorithm of this run.";

/** Why no run can start from this one; null when one can. */
export function whyNotFineTune(run: Run): string | null {
  if (trainConfigOf(run) === null) return "Only a training has weights to start from.";
  if (run.source) return "The lab cannot load the models of an adopted run.";
  return scriptOf(run) || run.isolation ? "Only the script itself can load its models." : null;
}
