/** Opening TensorBoard, and writing the event files it reads. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast, toastProblem } from "@/ui/toasts";
import { exportEventFiles, openTensorboard } from "./queries";

export function useWriteEventFiles(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => exportEventFiles(runId),
    onSuccess(made) {
      void refresh(client, keys.artifacts(runId), keys.tensorboard(runId));
      toast(`${made.title} written to ${made.path} in the run’s folder.`);
    },
    onError: toastProblem,
  });
}

export const useOpenTensorboard = () => useMutation({ mutationFn: openInTab });

/** The tab is opened within the click: later the browser would block it as a pop-up. */
async function openInTab(runIds: readonly string[]): Promise<void> {
  const tab = window.open("", "_blank");
  try {
    const board = await openTensorboard(runIds);
    if (board.url && tab && !tab.closed) tab.location.replace(board.url);
    else if (board.url) toast("TensorBoard is ready.", { link: { title: "Open", href: board.url } });
    else {
      tab?.close();
      toast([board.message, board.next_step].filter(Boolean).join(" "), { tone: "warn", shown_ms: 9_000 });
    }
  } catch (error) {
    tab?.close();
    toastProblem(error);
  }
}
