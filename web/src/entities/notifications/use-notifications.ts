/** Notifies about runs that end while this page is open and not in front. Once for the whole page. */
import { useQueryClient } from "@tanstack/react-query";
import { useRunChanges } from "@/api/run-changes";
import { environmentsQuery } from "@/entities/environments/queries";
import { noticeOf } from "./notice";
import { isInFront, notificationsOn, showNotice } from "./notifications";

export function useNotifications(onOpen: (runId: string) => void): void {
  const client = useQueryClient();
  useRunChanges((run, before) => {
    if (!notificationsOn.get() || isInFront()) return;
    const notice = noticeOf(run, before, client.getQueryData(environmentsQuery.queryKey));
    if (notice) showNotice(notice, run.id, () => onOpen(run.id));
  });
}
