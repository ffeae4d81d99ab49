/** Starts a duel between runs or checkpoints; the list of their duels is refreshed. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast } from "@/ui/toasts";
import { type Contestant, createDuel } from "./queries";

export function useStartDuel(contestants: readonly Contestant[], onStarted: (duel: Run) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (seeds: number) => createDuel(contestants, seeds),
    onSuccess: (duel, seeds) => {
      toast(`Duel started: ${seeds} seeds, the same for all.`);
      void refresh(client, keys.duels);
      onStarted(duel);
    },
  });
}
