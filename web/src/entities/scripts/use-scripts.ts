/** Scripts from outside the lab: looking at what would run, and taking an approval back. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CommandPreview, NewRun } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toastProblem } from "@/ui/toasts";
import { previewCommand, withdrawConsent } from "./queries";

export interface Previewed {
  wanted: NewRun;
  preview: CommandPreview;
}

export function usePreviewCommand(onPreviewed: (previewed: Previewed) => void) {
  return useMutation({
    mutationFn: async (wanted: NewRun) => ({ wanted, preview: await previewCommand(wanted) }),
    onSuccess: onPreviewed,
    onError: () => {}, // The dialog shows it.
  });
}

/** Never from the cache: the file may change at any moment, and what is approved must be what was just read. */
export const useCommandPreview = (wanted: NewRun) =>
  useQuery({ queryKey: keys.command(wanted), queryFn: () => previewCommand(wanted), gcTime: 0 });

export function useWithdrawConsent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: withdrawConsent,
    onSuccess: () => refresh(client, keys.consents),
    onError: toastProblem,
  });
}
