/** Saves the last seconds of a run's live feed as a video. */
import { useMutation } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { addressOf } from "@/entities/artifacts/queries";
import { toast } from "@/ui/toasts";

export const CLIP_S = 10;

export function useRecordClip(runId: string) {
  return useMutation({
    mutationFn: () =>
      data(
        api.POST("/api/runs/{run_id}/clips", {
          params: { path: { run_id: runId } },
          body: { seconds: CLIP_S },
        }),
      ),
    onSuccess: (clip) =>
      toast(`${clip.title} saved with the run.`, {
        link: { title: "Open", href: addressOf(clip) },
      }),
  });
}
