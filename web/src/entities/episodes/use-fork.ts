/** Forking an episode: playing it again up to a step and differently from there. */
import { useMutation, useQuery } from "@tanstack/react-query";
import type { NewFork, Run } from "@/api/types";
import { useRun } from "@/entities/runs/live-runs";
import { createFork, recordedEpisodeQuery } from "./queries";

export function useStartFork(runId: string, episode: number, onStarted: (fork: Run) => void) {
  return useMutation({
    mutationFn: (wanted: NewFork) => createFork(runId, episode, wanted),
    onSuccess: onStarted,
  });
}

/** A fork as a run, live, and the episode it has recorded once it is done. */
export function useFork(forkId: string) {
  const fork = useRun(forkId);
  const isDone = fork.data?.status === "succeeded";
  return { fork, isDone, episode: useQuery({ ...recordedEpisodeQuery(forkId), enabled: isDone }) };
}
