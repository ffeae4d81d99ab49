/** Starts a certification of a training's configuration. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { createCertificate } from "./queries";

export function useCertify(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => createCertificate(runId),
    onSuccess: () => refresh(client, keys.certificates(runId)),
  });
}
