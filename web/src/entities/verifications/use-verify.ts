/** Starts a verification of a training. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { createVerification } from "./queries";

export function useVerify(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => createVerification(runId),
    onSuccess: () => refresh(client, keys.verifications(runId)),
  });
}
