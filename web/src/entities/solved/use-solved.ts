/** A run against the threshold of its environment. */
import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { environmentsQuery } from "@/entities/environments/queries";
import { isSolved, thresholdOf } from "./solved";

/** The reward at which the environment of a run counts as solved; null when there is none. */
export function useThreshold(run: Run | undefined): number | null {
  const environments = useQuery(environmentsQuery).data ?? [];
  return run ? thresholdOf(run, environments) : null;
}

export function useSolved(run: Run): { threshold: number | null; isSolved: boolean } {
  const threshold = useThreshold(run);
  return { threshold, isSolved: isSolved(run, threshold) };
}
