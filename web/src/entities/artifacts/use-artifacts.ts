/** The files of a run, asked for again whenever the lab says that they have changed. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { topics, useLiveTopic } from "@/api/use-live";
import { runUsageQuery } from "@/entities/space/queries";
import { artifactsQuery } from "./queries";

export function useArtifacts(runId: string) {
  const client = useQueryClient();
  useLiveTopic(topics.artifacts(runId), null, () => {
    void client.invalidateQueries({ queryKey: artifactsQuery(runId).queryKey });
    void client.invalidateQueries({ queryKey: runUsageQuery(runId).queryKey });
  });
  return { artifacts: useQuery(artifactsQuery(runId)), usage: useQuery(runUsageQuery(runId)) };
}
