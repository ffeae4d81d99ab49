/** A run against the threshold of its environment. */
import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { environmentsQuery } from "@/entities/environments/queries";
import { isSolved, thresholdOf } from "./solved";

export function useSolved(run: Run): { threshold: number | null; isSolved: boolean } {
  const environments = useQuery(environmentsQuery).data ?? [];
  const threshold = thresholdOf(run, environments);
  return { threshold, isSolved: isSolved(run, threshold) };
}
