/** Opens the lab's form with the settings of a run and a start from one of its checkpoints; nothing starts. */
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Environment, Run, Runner } from "@/api/types";
import { environmentsQuery } from "@/entities/environments/queries";
import { runnersQuery } from "@/entities/runners/queries";
import { formSearch, spellStart } from "@/entities/runs/form-link";
import { runQuery } from "@/entities/runs/queries";
import { isProgram, trainConfigOf } from "@/entities/runs/words";
import { toast, toastProblem } from "@/ui/toasts";
import { isOffline } from "./phases";

/** `checkpoint`: the id of its artifact; the best one when absent. */
export function useFineTune(): (runId: string, checkpoint?: string) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const open = async (runId: string, checkpoint?: string) => {
    const [run, runners] = await Promise.all([
      client.ensureQueryData(runQuery(runId)),
      client.ensureQueryData(runnersQuery),
    ]);
    const search = whyNotFineTune(run) === null ? await settingsAfter(run, runners) : null;
    if (!search) return toast(whyNotFineTune(run) ?? NO_ALGORITHM, { tone: "warn" });
    const start = spellStart({ run_id: run.id, checkpoint });
    await navigate({ to: "/", search: { ...search, seed: undefined, way: "new", start } });
  };
  /** What was learned from a dataset goes on in the environment; everything else with the same settings. */
  const settingsAfter = async (run: Run, runners: readonly Runner[]) => {
    if (!isOffline(run)) return formSearch(run, runners);
    const environments = await client.ensureQueryData(environmentsQuery);
    return onlineSearch(run, runners, environments) ?? formSearch(run, runners);
  };
  return (runId, checkpoint) => void open(runId, checkpoint).catch(toastProblem);
}

/** The form with the first learner that can go on with these weights; null where none is known. */
export function onlineSearch(run: Run, runners: readonly Runner[], environments: readonly Environment[]) {
  const config = trainConfigOf(run);
  const kind = environments.find(({ id }) => id === config?.env_id)?.action_space_type ?? "";
  const algorithm = runners
    .find(({ id }) => id === config?.runner)
    ?.algorithms.find(({ id }) => id === config?.algorithm)?.followed_by?.[kind]?.[0];
  return config && algorithm ? { env: config.env_id, algorithm } : null;
}

const NO_ALGORITHM = "This lab no longer has the algorithm of this run.";

/** Why no run can start from this one; null when one can. */
export function whyNotFineTune(run: Run): string | null {
  if (trainConfigOf(run) === null) return "Only a training has weights to start from.";
  if (run.source) return "The lab cannot load the models of an adopted run.";
  return isProgram(run) ? "Only the script itself can load its models." : null;
}
