/** Kinds and states of runs, from the API's own lists. Pure. */
import type { QueryOf, Run, RunStatus } from "@/api/types";
import { keysOf } from "@/lib/keys-of";

/** How the dot next to a status is drawn; it also lists every status there is. */
export const STATUS_DOTS: Record<RunStatus, string> = {
  created: "border border-ink-3",
  queued: "border border-ink-3 bg-line-strong",
  starting: "bg-ink-3",
  running: "bg-live",
  paused: "border border-live",
  stopping: "bg-ink-3",
  succeeded: "bg-good",
  failed: "bg-warn",
  stopped: "border border-ink",
  lost: "border border-warn",
  followed: "border border-good",
};
export const STATUSES = keysOf(STATUS_DOTS);

/** The cause of a training until solved that used up its steps. */
export const NOT_SOLVED = "not-solved";

/** The word next to a status: a training that was to solve its environment and did not is no plain success. */
export const statusWord = (status: RunStatus, cause?: string): string =>
  status === "succeeded" && cause === NOT_SOLVED ? "not solved" : status;

export type Kind = NonNullable<QueryOf<"list_runs">["kind"]>;

export const KIND_TITLES: Record<Kind, string> = {
  train: "Training",
  evaluate: "Evaluations",
  fork: "Forks",
  duel: "Duels",
  film: "Films",
  verify: "Verifications",
  certify: "Certifications",
  play: "Plays",
  dataset: "Datasets",
  all: "All kinds",
};
export const KINDS = keysOf(KIND_TITLES);

const WITH_WORKER: readonly RunStatus[] = ["starting", "running", "paused", "stopping"];

/** A process works for the run now. */
export const hasWorker = (run: Run): boolean => WITH_WORKER.includes(run.status);

/** It is waiting or working: something about it will still change. */
export const isLive = (run: Run): boolean => run.status === "queued" || hasWorker(run);

/** Another program writes it and the lab reads along; no process of the lab works on it. */
export const isFollowed = (run: Run): boolean => run.status === "followed";

export const isOver = (run: Run): boolean => run.status !== "created" && !isLive(run) && !isFollowed(run);
