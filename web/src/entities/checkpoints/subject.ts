/** A checkpoint as its actions see it: a row of the list of all checkpoints, or a file of a run. Pure. */
import type { Artifact, CheckpointItem, Run } from "@/api/types";
import { whyNotTest } from "@/entities/evaluations/test-run";
import { isOver } from "@/entities/runs/status";
import { trainConfigOf } from "@/entities/runs/words";

type Known =
  | "id"
  | "run_id"
  | "run_name"
  | "algorithm"
  | "env_id"
  | "timestep"
  | "role"
  | "score"
  | "pinned"
  | "tags"
  | "note";

export interface CheckpointSubject extends Pick<CheckpointItem, Known> {
  /** Why the lab cannot act with it; null when it can. */
  whyNotPlay: string | null;
  /** Why its run cannot go on from it; null when it can. */
  whyNotResume: string | null;
}

export const whyNotPlay = ({ is_playable }: Pick<CheckpointItem, "is_playable">): string | null =>
  is_playable ? null : "The lab cannot act with this checkpoint.";

/** `status` of the run that wrote it. The lab has the last word. */
function whyNotResume(status: string): string | null {
  if (status === "succeeded") return "Its run has reached its end. Train it longer, or fine-tune from here.";
  return ["stopped", "failed", "lost"].includes(status) ? null : "Its run has not ended; stop it first.";
}

export const subjectOfItem = (item: CheckpointItem): CheckpointSubject => ({
  ...item,
  whyNotPlay: whyNotPlay(item),
  whyNotResume: whyNotResume(item.run_status),
});

export function subjectOfFile(run: Run, file: Artifact): CheckpointSubject {
  const config = trainConfigOf(run);
  const isStuck = isOver(run) && run.status !== "succeeded" && !run.allowed.includes("resume");
  return {
    id: file.id,
    run_id: run.id,
    run_name: run.name,
    algorithm: config?.algorithm ?? "",
    env_id: config?.env_id ?? "",
    timestep: file.timestep,
    role: file.role,
    score: file.evaluation ?? trainingScore(file),
    pinned: file.pinned ?? false,
    tags: file.tags ?? [],
    note: file.note ?? "",
    whyNotPlay: whyNotTest(run, false),
    whyNotResume: isStuck ? "The lab cannot resume this run." : whyNotResume(run.status),
  };
}

/** "r1@40000", as `rl-lab evaluate` takes it. */
export const addressOfCheckpoint = ({ run_id, timestep, id }: CheckpointSubject): string =>
  `${run_id}@${timestep ?? id}`;

const trainingScore = ({ score, score_episodes }: Artifact): CheckpointItem["score"] =>
  score == null
    ? null
    : {
        mean: score,
        protocol: "training",
        episodes: score_episodes ?? null,
        deterministic: null,
        interval: null,
        level: null,
        job_id: null,
        cited: null,
      };
