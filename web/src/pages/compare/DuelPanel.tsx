/** A duel between the compared runs: start one, follow it, read the result. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Run } from "@/api/types";
import { duelsQuery } from "@/entities/duels/queries";
import { useStartDuel } from "@/entities/duels/use-start-duel";
import { trainConfigOf } from "@/entities/runs/words";
import { DuelView } from "@/panels/duel/DuelView";
import { SeedsSelect } from "@/panels/duel/SeedsSelect";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { EmptyState } from "@/ui/states";

const MOST = 8;

export interface DuelPanelProps {
  runs: readonly Run[];
  duelId: string | undefined;
  onDuel: (duelId: string) => void;
}

export function DuelPanel({ runs, duelId, onDuel }: DuelPanelProps) {
  const contestants = runs.map((run) => ({ run_id: run.id }));
  const duels = useQuery(duelsQuery(contestants));
  const [seeds, setSeeds] = useState(10);
  const shown = duelId ?? duels.data?.[0]?.id;
  const start = useStartDuel(contestants, (duel) => onDuel(duel.id));
  return (
    <Panel
      title="Duel"
      actions={
        <>
          <SeedsSelect value={seeds} onChange={setSeeds} />
          <Button
            icon="play"
            reason={whyNoDuel(runs)}
            disabled={start.isPending}
            onClick={() => start.mutate(seeds)}
          >
            Duel
          </Button>
        </>
      }
    >
      {shown ? (
        <DuelView duelId={shown} />
      ) : (
        <EmptyState title="No duel between these runs yet">
          A duel plays the best checkpoints of these runs on the same seeds, so that all start from the same
          conditions.
        </EmptyState>
      )}
    </Panel>
  );
}

export function whyNoDuel(runs: readonly Run[]): string | null {
  if (runs.length < 2) return "A duel needs at least two runs.";
  if (runs.length > MOST) return `A duel takes at most ${MOST} runs; remove some.`;
  const environments = new Set(runs.map((run) => trainConfigOf(run)?.env_id));
  return environments.size > 1 ? "All runs of a duel must have the same environment." : null;
}
