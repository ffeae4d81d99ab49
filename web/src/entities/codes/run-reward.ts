/** The reward that a training learns from. */
import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { CodeChoice, Run } from "@/api/types";
import { keys } from "@/entities/query-keys";

/** Null: the environment's own. */
export const rewardOf = (run: Run): CodeChoice | null =>
  run.config.kind === "train" ? (run.config.reward ?? null) : null;

/** The copy in the run's folder, which stays when the saved one is changed or deleted. */
export const runRewardQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.runReward(runId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/reward", { params: { path: { run_id: runId } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
