/** Sends model files and imports them; the dialog shows what goes wrong. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ImportChoices } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { importModel, sendModel } from "./queries";

export const useSendModel = (onProgress: (fraction: number) => void) =>
  useMutation({ mutationFn: (files: readonly File[]) => sendModel(files, onProgress), onError: () => {} });

export function useImportModel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ uploadId, choices }: { uploadId: string; choices: ImportChoices }) =>
      importModel(uploadId, choices),
    onSuccess: () => {
      void refresh(client, keys.runs);
      void refresh(client, keys.checkpoints);
    },
    onError: () => {},
  });
}
