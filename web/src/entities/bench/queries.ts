import { queryOptions } from "@tanstack/react-query";
import type { BenchReward, EpisodeTimeline } from "@/api/types";
import { keys } from "@/entities/query-keys";
import { rewardTerms } from "./stream";

/** Recorded episodes do not change, and neither does code that is given with its text or version. */
export const rewardTermsQuery = (runId: string, episode: number, rewards: BenchReward[]) =>
  queryOptions<EpisodeTimeline>({
    queryKey: keys.rewardTerms(runId, episode, rewards),
    queryFn: ({ signal }) => rewardTerms(runId, episode, rewards, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
