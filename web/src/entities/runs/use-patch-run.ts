/** Changes a run's labels at once and offers the way back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Run, RunPatch } from "@/api/types";
import { toast } from "@/ui/toasts";
import { keepRun, patchRun } from "./queries";

export function usePatchRun(run: Run): (change: Partial<RunPatch>, done: string) => void {
  const client = useQueryClient();
  const ask = useMutation({
    mutationFn: (change: Partial<RunPatch>) => patchRun(run.id, change as RunPatch),
    onSuccess: (after) => keepRun(client, after),
  });
  return (change, done) => {
    const before = Object.fromEntries(
      Object.keys(change).map((name) => [name, run[name as keyof Run]]),
    ) as Partial<RunPatch>;
    ask.mutate(change, { onSuccess: () => toast(done, { undo: () => ask.mutate(before) }) });
  };
}
