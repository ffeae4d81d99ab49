/** Changes the name, tags or notes of a run and offers to undo it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Run, RunPatch } from "@/api/types";
import { toast } from "@/ui/toasts";
import { keepRun, patchRun } from "./queries";

export function usePatchRun(
  run: Run,
): (change: Pick<RunPatch, "name" | "tags" | "notes">, done: string) => void {
  const client = useQueryClient();
  const ask = useMutation({
    mutationFn: (change: RunPatch) => patchRun(run.id, change),
    onSuccess: (after) => keepRun(client, after),
  });
  return (change, done) => {
    const before: RunPatch = {
      name: change.name === undefined ? undefined : run.name,
      tags: change.tags === undefined ? undefined : run.tags,
      notes: change.notes === undefined ? undefined : run.notes,
    };
    ask.mutate(change, { onSuccess: () => toast(done, { undo: () => ask.mutate(before) }) });
  };
}
