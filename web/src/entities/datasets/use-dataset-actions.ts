/** What changes datasets without a job: their names and notes, pins, retention, delete. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DatasetPatch, DatasetVersionPatch } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast, toastProblem } from "@/ui/toasts";
import { deleteDataset, deleteDatasetVersion, patchDataset, patchDatasetVersion } from "./queries";
import { spell } from "./words";

/** Errors are shown by the caller, at the fields, and not as a toast too. */
const shownByCaller = () => undefined;

export function usePatchDataset(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (patch: DatasetPatch) => patchDataset(name, patch),
    onSuccess(saved) {
      // Under its old name there is nothing to fetch again.
      client.setQueryData(keys.dataset(saved.name), saved);
      const isElsewhere = (key: readonly unknown[]) => saved.name === name || key[1] !== name;
      return client.invalidateQueries({
        queryKey: keys.datasets,
        predicate: ({ queryKey }) => isElsewhere(queryKey),
      });
    },
    onError: shownByCaller,
  });
}

export function usePatchDatasetVersion(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ version, patch }: { version: number; patch: DatasetVersionPatch }) =>
      patchDatasetVersion(name, version, patch),
    onSuccess: () => refresh(client, keys.datasets),
    onError: toastProblem,
  });
}

/** A version, or the whole dataset. */
export function useDeleteDataset(name: string, onDeleted: (version: number | null) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (version: number | null): Promise<void> => {
      if (version === null) await deleteDataset(name);
      else await deleteDatasetVersion(name, version);
    },
    onSuccess(_, version) {
      onDeleted(version);
      if (version === null) client.removeQueries({ queryKey: keys.dataset(name) });
      void refresh(client, keys.datasets);
      toast(`Deleted ${spell({ name, version })}.`);
    },
    onError: shownByCaller,
  });
}
