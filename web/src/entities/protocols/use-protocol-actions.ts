/** What changes protocols. Errors are shown by the caller. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ProtocolVersion } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast } from "@/ui/toasts";
import { deleteProtocol, saveProtocol } from "./queries";
import { spellProtocol } from "./words";

const shownByCaller = () => undefined;

export function useSaveProtocol(onSaved: (saved: ProtocolVersion) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: saveProtocol,
    async onSuccess(saved) {
      await refresh(client, keys.protocols);
      toast(`Saved ${spellProtocol(saved)}.`);
      onSaved(saved);
    },
    onError: shownByCaller,
  });
}

export function useDeleteProtocol(onDeleted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteProtocol,
    async onSuccess(_, name) {
      onDeleted();
      await refresh(client, keys.protocols);
      toast(`Deleted ${name}.`);
    },
    onError: shownByCaller,
  });
}
