/** Writes the note on an episode. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast, toastProblem } from "@/ui/toasts";

export function useEpisodeNote(runId: string, episode: number): (text: string) => void {
  const client = useQueryClient();
  const put = useMutation({
    mutationFn: (text: string) =>
      data(
        api.PUT("/api/runs/{run_id}/episodes/{episode}/note", {
          params: { path: { run_id: runId, episode } },
          body: { text },
        }),
      ),
    onSuccess: (row) => {
      client.setQueryData(keys.episode(runId, episode), row);
      void refresh(client, keys.episodesOf(runId));
      toast(row.note ? "The note is saved." : "The note is removed.");
    },
    onError: toastProblem,
  });
  return (text) => put.mutate(text);
}
