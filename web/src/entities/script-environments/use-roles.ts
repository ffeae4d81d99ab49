/** Changing what an environment of a script is used for: everything made from its episodes is fetched again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ScriptEnvironment } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { putRole } from "./queries";

export interface RoleChange {
  number: number;
  role: ScriptEnvironment["role"];
}

export function useChangeRole(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ number, role }: RoleChange) => putRole(runId, number, role),
    onSuccess: async (found) => {
      client.setQueryData(keys.scriptEnvironments(runId), found.items);
      await refresh(client, keys.run(runId), ...madeFromEpisodes(runId));
    },
  });
}

/** The queries about a run that depend on which episodes are its training. */
export const madeFromEpisodes = (runId: string) => [
  ["episodes", runId],
  ["metrics", runId],
  keys.bestEpisode(runId),
  keys.insights(runId),
  keys.landmarks(runId),
  keys.recordedEpisode(runId),
  keys.rewardHistory(runId),
];
