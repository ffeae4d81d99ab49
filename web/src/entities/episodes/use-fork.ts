/** Forking an episode: playing it again up to a step and differently from there. */
import { useMutation, useQuery } from "@tanstack/react-query";
import type { NewFork, Run } from "@/api/types";
import { useLiveRun } from "@/entities/runs/live-runs";
import { runQuery } from "@/entities/runs/queries";
import { createFork, recordedEpisodeQuery } from "./queries";

export function useStartFork(runId: string, episode: number, onStarted: (fork: Run) => void) {
  return useMutation({
    mutationFn: (wanted: NewFork) => createFork(runId, episode, wanted),
    onSuccess: onStarted,
  });
}

/** A fork as a run, live, and the episode it has recorded once it is done; asks nothing without an id. */
export function useFork(forkId: string | undefined) {
  useLiveRun(forkId ?? null);
  const fork = useQuery({ ...runQuery(forkId ?? ""), enabled: forkId !== undefined });
  const isDone = fork.data?.status === "succeeded";
  const episode = useQuery({ ...recordedEpisodeQuery(forkId ?? ""), enabled: isDone });
  return { fork, isDone, episode };
}

export type Forked = ReturnType<typeof useFork>;
