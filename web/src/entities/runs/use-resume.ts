/** Resumes a run; what it would drop or change is asked for in a dialog first. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import { ProblemError } from "@/api/problem";
import type { ResumeChoice } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { createStore } from "@/lib/store";
import { toast, toastProblem } from "@/ui/toasts";
import { keepRun } from "./queries";

/** What the user must agree to, by the type of the answer. */
const AGREEMENTS = { "urn:rl-lab:rewind-needed": "rewind", "urn:rl-lab:inexact-resume": "inexact" } as const;

export interface Agreement {
  runId: string;
  choice: ResumeChoice;
  field: "rewind" | "inexact";
  /** What would be dropped, or differ. */
  detail: string;
}

/** The question that is open; null: the dialog is closed. */
export const resumeDialog = createStore<Agreement | null>(null);

export function useResume(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (choice: ResumeChoice) =>
      data(api.POST("/api/runs/{run_id}/resume", { params: { path: { run_id: runId } }, body: choice })),
    onSuccess(run, choice) {
      resumeDialog.set(null);
      keepRun(client, run);
      void refresh(client, keys.runs);
      if (choice.checkpoint) toast(`“${run.name}” resumes from that checkpoint.`);
    },
    onError(error, choice) {
      const asked = agreementOf(runId, choice, error);
      resumeDialog.set(asked);
      if (!asked) toastProblem(error);
    },
  });
}

export function agreementOf(runId: string, choice: ResumeChoice, error: unknown): Agreement | null {
  if (!(error instanceof ProblemError)) return null;
  const { type, detail } = error.problem;
  const field = type in AGREEMENTS ? AGREEMENTS[type as keyof typeof AGREEMENTS] : null;
  return field && { runId, choice, field, detail: detail ?? "" };
}
