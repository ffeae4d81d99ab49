/** What can be done with the files of a run; each action refreshes the list of its files. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Artifact, NewExport } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { startDownload } from "@/lib/download";
import { toast, toastProblem } from "@/ui/toasts";
import { createExport, deleteArtifact, downloadOf, pinArtifact, renameArtifact } from "./queries";
import { titleOf } from "./title";

export function useArtifactActions(artifact: Artifact) {
  const client = useQueryClient();
  const refreshList = () => refresh(client, keys.artifacts(artifact.run_id)).catch(() => undefined);
  const pin = useMutation({
    mutationFn: () => pinArtifact(artifact, !artifact.pinned),
    onSuccess: refreshList,
    onError: toastProblem,
  });
  const remove = useMutation({
    mutationFn: () => deleteArtifact(artifact),
    onSuccess: () => {
      toast(`Deleted ${titleOf(artifact)}.`);
      void refreshList();
    },
    onError: toastProblem,
  });
  const rename = useMutation({
    mutationFn: (title: string) => renameArtifact(artifact, title),
    onSuccess: refreshList,
    onError: toastProblem,
  });
  return {
    togglePin: () => pin.mutate(),
    rename: rename.mutate,
    remove: () => remove.mutate(),
  };
}

/** Writes the best checkpoint of a run as a file of another library. */
export function useExportModel(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (format: NewExport["format"]) => createExport(runId, format),
    onSuccess: (made) => {
      void refresh(client, keys.artifacts(runId));
      const href = downloadOf(made);
      startDownload(href);
      toast(`${made.title} saved.`, { link: { title: "Download again", href } });
    },
    onError: toastProblem,
  });
}
