/** The checkpoints of a run that a job can play with. */
import { useQuery } from "@tanstack/react-query";
import type { Artifact } from "@/api/types";
import { artifactsQuery } from "./queries";

export interface Checkpoints {
  list: readonly Artifact[];
  /** Why there is none; null when there is one, or while loading. */
  reason: string | null;
}

/** The checkpoint that an evaluation plays: the one it names, else the best, else the newest; undefined while there is none. */
export function testedCheckpoint(
  checkpoints: readonly Artifact[],
  checkpointId: string | null,
): Artifact | undefined {
  if (checkpointId !== null) return checkpoints.find(({ id }) => id === checkpointId);
  const best = checkpoints.filter(({ role }) => role === "best");
  return [...(best.length > 0 ? best : checkpoints)].sort((a, b) => (b.timestep ?? 0) - (a.timestep ?? 0))[0];
}

/** Of no run: none. */
export function useCheckpoints(runId: string | null): Checkpoints {
  const artifacts = useQuery({ ...artifactsQuery(runId ?? ""), enabled: runId !== null });
  const list = (artifacts.data ?? []).filter((artifact) => artifact.kind === "checkpoint");
  const isNone = artifacts.isSuccess && list.length === 0;
  return { list, reason: isNone ? "This run has no checkpoint yet." : null };
}
