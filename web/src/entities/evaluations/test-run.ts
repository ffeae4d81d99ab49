/** TEST: an evaluation of the shown run, with 5 or 10 episodes, on the run's own seeds or on fresh ones. Pure. */
import type { Artifact, EvaluationSummary, NewEvaluation, Run } from "@/api/types";
import { trainConfigOf } from "@/entities/runs/words";
import { formatCount } from "@/lib/format";

export const testOf = (
  episodes: number,
  fresh_seeds: boolean,
  checkpoint: string | null = null,
): NewEvaluation => ({
  episodes,
  fresh_seeds,
  deterministic: true,
  record: true,
  checkpoint,
});

export const TEST = testOf(5, false);

/** What the menu next to TEST offers. */
export const TESTS: readonly { title: string; wanted: NewEvaluation }[] = [5, 10].flatMap((episodes) => [
  { title: `${episodes} episodes, the same seeds each time`, wanted: testOf(episodes, false) },
  { title: `${episodes} episodes, fresh seeds`, wanted: testOf(episodes, true) },
]);

const NOT_PLAYED: Record<string, string> = {
  program: "The lab cannot play the checkpoint of a program.",
  corl: "The lab cannot play it: a script of CORL does not save how it has scaled the observations.",
};

/** Why TEST cannot be pressed; null when it can. */
export function whyNotTest(run: Run | undefined, isLoading: boolean): string | null {
  if (isLoading) return "The run is being loaded.";
  if (!run) return "Train first: TEST plays with the trained agent.";
  if (run.kind !== "train") return "Only a training run can be tested.";
  if (run.source) return "An adopted run was trained elsewhere; the lab cannot play it.";
  // A script's own classes play its checkpoint; what another program saves only that program can read.
  const unplayable = NOT_PLAYED[trainConfigOf(run)?.runner ?? ""];
  if (unplayable) return unplayable;
  if (run.progress.timestep === 0 && run.status !== "succeeded")
    return "There is no checkpoint yet; wait for the first one.";
  return null;
}

/** "step 40,000, best by training return": which checkpoint played an evaluation; null when it does not say. */
export function playedText(summary: EvaluationSummary): string | null {
  const { checkpoint_timestep: timestep, checkpoint_role: role, checkpoint_best_by: by } = summary;
  return timestep == null ? null : checkpointText({ timestep, role: by ? `best by ${by}` : (role ?? null) });
}

/** "step 60,416, final": a checkpoint in a few words. */
export const checkpointText = ({ timestep, role }: Pick<Artifact, "timestep" | "role">): string =>
  [timestep === null ? "" : `step ${formatCount(timestep)}`, role ?? ""].filter(Boolean).join(", ");
