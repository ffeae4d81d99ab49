/** Signing browsers out: one, or all but this one. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BrowserSession } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { formatPlural } from "@/lib/format";
import { toast, toastProblem } from "@/ui/toasts";
import { browserName, endOtherSessions, endSession } from "./queries";

export function useEndSessions() {
  const client = useQueryClient();
  const refreshList = () => refresh(client, keys.sessions);
  const one = useMutation({
    mutationFn: endSession,
    onSuccess: (_, ended: BrowserSession) => {
      if (ended.is_current) return;
      toast(`${browserName(ended)} was signed out.`);
      void refreshList();
    },
    onError: toastProblem,
  });
  const others = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: (ended) => {
      toast(`${formatPlural(ended.length, "browser")} signed out.`);
      void refreshList();
    },
    onError: toastProblem,
  });
  return {
    end: (session: BrowserSession) => one.mutate(session),
    endOthers: () => others.mutate(),
    isBusy: one.isPending || others.isPending,
  };
}
