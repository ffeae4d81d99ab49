/** Sends a pack and imports it; the dialog shows what goes wrong. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { importPack, uploadPack } from "./queries";

export const useUploadPack = (onProgress: (fraction: number) => void) =>
  useMutation({ mutationFn: (file: File) => uploadPack(file, onProgress), onError: () => {} });

export function useImportPack() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: importPack,
    onSuccess: () => {
      void refresh(client, keys.runs);
      void refresh(client, keys.datasets);
    },
    onError: () => {},
  });
}
