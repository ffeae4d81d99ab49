/** What changes a checkpoint: pin, tags, note, deletion. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ArtifactPatch, CheckpointItem } from "@/api/types";
import { deleteArtifact } from "@/entities/artifacts/queries";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast, toastProblem } from "@/ui/toasts";
import { patchCheckpoint } from "./queries";
import { checkpointName } from "./words";

type Changed = Pick<CheckpointItem, "id" | "run_id" | "pinned">;

/** `onError`: for a dialog that shows the error itself. */
export function usePatchCheckpoint(item: Changed, onError: (error: unknown) => void = toastProblem) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ patch }: { patch: ArtifactPatch; done: string }) => patchCheckpoint(item.id, patch),
    onSuccess(changed, { patch, done }) {
      void refresh(client, keys.checkpoints, keys.checkpoint(item.id), keys.artifacts(item.run_id));
      const isPinnedByIt = changed.pinned && !item.pinned && patch.pinned == null;
      toast(isPinnedByIt ? `${done} It is pinned now: never removed automatically.` : done);
    },
    onError,
  });
}

type Deleted = Pick<CheckpointItem, "id" | "run_id" | "run_name" | "timestep" | "role">;

export function useDeleteCheckpoint(onDeleted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (item: Deleted) => deleteArtifact(item),
    onSuccess(_, item) {
      onDeleted();
      toast(`Deleted ${checkpointName(item)}.`);
      void refresh(client, keys.checkpoints, keys.artifacts(item.run_id));
    },
    // The dialog shows what went wrong.
    onError: () => undefined,
  });
}
