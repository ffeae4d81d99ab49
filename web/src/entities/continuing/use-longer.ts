/** An ended training is given a later end: what that would do, and doing it. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Longer, Run } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { keepRun } from "@/entities/runs/queries";
import { isOver } from "@/entities/runs/status";
import { isProgram, trainConfigOf } from "@/entities/runs/words";
import { toast } from "@/ui/toasts";

const byId = (runId: string) => ({ path: { run_id: runId } });

/** Never cached for long: the run's checkpoints may change. */
export const longerQuery = (runId: string, longer: Longer) =>
  queryOptions({
    queryKey: keys.longer(runId, longer),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/continue", { params: { ...byId(runId), query: longer }, signal })),
    retry: false,
    staleTime: 5_000,
  });

export function useLonger(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (longer: Longer) =>
      data(api.POST("/api/runs/{run_id}/continue", { params: byId(runId), body: longer })),
    onSuccess(run) {
      keepRun(client, run);
      void refresh(client, keys.runs);
      toast(`“${run.name}” continues from its newest checkpoint.`);
    },
  });
}

/** Why a run cannot be trained longer; null when it can. The lab has the last word. */
export function whyNotLonger(run: Run): string | null {
  if (trainConfigOf(run) === null) return "Only a training can be trained longer.";
  if (run.source) return "An adopted run was trained elsewhere; the lab cannot continue it.";
  if (run.origin) return "An imported run is not continued here; run it again.";
  if (isProgram(run)) return "A script cannot be continued from a checkpoint.";
  if (run.study_id) return "Its study compares runs of one length. Fine-tune from it instead.";
  return isOver(run) ? null : "It must have ended first.";
}
