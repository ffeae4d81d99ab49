/** Changes the order of the queue, or pauses and resumes it. A move is shown at once, and taken back if it is refused. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { QueueState } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toastProblem } from "@/ui/toasts";
import { moved } from "./order";
import { postMove, putPause, putPriority } from "./queries";

export function useMoveInQueue() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ runId, to }: { runId: string; to: number }) => postMove({ run_id: runId, to }),
    onMutate({ runId, to }) {
      client.setQueryData<QueueState>(
        keys.queue,
        (old) => old && { ...old, waiting: moved(old.waiting, runId, to) },
      );
    },
    onSuccess: (next) => client.setQueryData(keys.queue, next),
    onError(error) {
      toastProblem(error);
      void refresh(client, keys.queue);
    },
  });
}

export function useMoveStudyNext() {
  return useQueueChange((studyId: string) => postMove({ study_id: studyId, to: 1 }));
}

export function useSetPriority() {
  return useQueueChange(({ runId, priority }: { runId: string; priority: number }) =>
    putPriority({ run_id: runId, priority }),
  );
}

export function useSetPaused() {
  return useQueueChange((paused: boolean) => putPause({ paused }));
}

function useQueueChange<Wanted>(mutationFn: (wanted: Wanted) => Promise<QueueState>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (next) => client.setQueryData(keys.queue, next),
    onError(error) {
      toastProblem(error);
      void refresh(client, keys.queue);
    },
  });
}
