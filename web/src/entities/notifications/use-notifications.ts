/** Notifies about runs that end while this page is open and not in front. Once for the whole page. */
import { useRunChanges } from "@/api/run-changes";
import { noticeOf } from "./notice";
import { isInFront, notificationsOn, showNotice } from "./notifications";

export function useNotifications(onOpen: (runId: string) => void): void {
  useRunChanges((run, before) => {
    const notice = notificationsOn.get() && !isInFront() ? noticeOf(run, before) : null;
    if (notice) showNotice(notice, run.id, () => onOpen(run.id));
  });
}
