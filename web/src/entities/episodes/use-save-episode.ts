/** Writes an episode as a video file of the run, and downloads it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { QueryOf } from "@/api/types";
import { downloadOf } from "@/entities/artifacts/queries";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { startDownload } from "@/lib/download";
import { toast, toastProblem } from "@/ui/toasts";

type Format = NonNullable<QueryOf<"create_episode_video">["format"]>;

export function useSaveEpisode(runId: string, episode: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (format: Format) =>
      data(
        api.POST("/api/runs/{run_id}/episodes/{episode}/video", {
          params: { path: { run_id: runId, episode }, query: { format } },
        }),
      ),
    onSuccess: (made) => {
      void refresh(client, keys.artifacts(runId));
      const href = downloadOf(made);
      startDownload(href);
      toast(`${made.title} saved with the run.`, { link: { title: "Download again", href } });
    },
    onError: toastProblem,
  });
}
