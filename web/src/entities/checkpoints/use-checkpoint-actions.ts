/** What changes a checkpoint: pin, tags, note. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ArtifactPatch, CheckpointItem } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast, toastProblem } from "@/ui/toasts";
import { patchCheckpoint } from "./queries";

export function usePatchCheckpoint(item: Pick<CheckpointItem, "id" | "run_id">) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ patch }: { patch: ArtifactPatch; done: string }) => patchCheckpoint(item.id, patch),
    onSuccess(_, { done }) {
      void refresh(client, keys.checkpoints, keys.checkpoint(item.id), keys.artifacts(item.run_id));
      toast(done);
    },
    onError: toastProblem,
  });
}
