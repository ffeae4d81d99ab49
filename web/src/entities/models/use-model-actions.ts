/** What changes named models: a name for a checkpoint, a version, labels, notes; delete. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Model, ModelPatch, NewModel, NewVersion, VersionPatch } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast, toastProblem } from "@/ui/toasts";
import {
  addVersion,
  createModel,
  deleteModel,
  deleteVersion,
  patchModel,
  patchVersion,
  restoreVersion,
} from "./queries";

/** Names of models are shown with the checkpoints too. */
function useRefreshed() {
  const client = useQueryClient();
  return () => refresh(client, keys.models, keys.checkpoints, keys.checkpointFamily);
}

export type Naming =
  | { kind: "new"; model: NewModel }
  | { kind: "version"; name: string; version: NewVersion };

/** Errors are shown by the caller, at the fields, and not as a toast too. */
const shownByCaller = () => undefined;

export function useNameModel(onNamed: (model: Model) => void) {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: (naming: Naming) =>
      naming.kind === "new" ? createModel(naming.model) : addVersion(naming.name, naming.version),
    onSuccess(model) {
      void refreshed();
      onNamed(model);
    },
    onError: shownByCaller,
  });
}

export function usePatchModel(name: string) {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: (patch: ModelPatch) => patchModel(name, patch),
    onSuccess: () => void refreshed(),
    onError: shownByCaller,
  });
}

export function usePatchVersion(name: string) {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: ({ version, patch }: { version: number; patch: VersionPatch }) =>
      patchVersion(name, version, patch),
    onSuccess: () => void refreshed(),
    onError: shownByCaller,
  });
}

/** A version, or the whole model; the checkpoints stay. */
export function useDeleteName(name: string) {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async (version: number | null): Promise<void> => {
      if (version === null) await deleteModel(name);
      else await deleteVersion(name, version);
    },
    onSuccess(_, version) {
      void refreshed();
      toast(
        version === null
          ? `Deleted the name “${name}”. Its checkpoints are still there.`
          : `Deleted version ${version} of “${name}”. Its checkpoint is still there.`,
      );
    },
    onError: toastProblem,
  });
}

/** A version whose checkpoint was removed from its run gets it back from the copy that the lab keeps. */
export function useRestoreVersion(name: string) {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: (version: number) => restoreVersion(name, version),
    onSuccess(item) {
      void refreshed();
      toast(`Restored as a checkpoint of “${item.run_name}”.`);
    },
    onError: toastProblem,
  });
}
