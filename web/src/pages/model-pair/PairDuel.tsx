/** A duel between two checkpoints: start one, follow it, read the result. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CheckpointItem } from "@/api/types";
import { whyNoDuel } from "@/entities/checkpoints/words";
import { duelsQuery } from "@/entities/duels/queries";
import { useStartDuel } from "@/entities/duels/use-start-duel";
import { DuelView } from "@/panels/duel/DuelView";
import { SeedsSelect } from "@/panels/duel/SeedsSelect";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { EmptyState } from "@/ui/states";

export interface PairDuelProps {
  first: CheckpointItem;
  second: CheckpointItem;
  duelId: string | undefined;
  onDuel: (duelId: string) => void;
}

export function PairDuel({ first, second, duelId, onDuel }: PairDuelProps) {
  const contestants = [first, second].map(({ run_id, id }) => ({ run_id, checkpoint: id }));
  const duels = useQuery(duelsQuery(contestants));
  const [seeds, setSeeds] = useState(10);
  const start = useStartDuel(contestants, (duel) => onDuel(duel.id));
  const shown = duelId ?? duels.data?.[0]?.id;
  return (
    <Panel
      title="Duel"
      actions={
        <>
          <SeedsSelect value={seeds} onChange={setSeeds} />
          <Button
            icon="play"
            reason={whyNoDuel(first, second)}
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
        <EmptyState title="No duel between these checkpoints yet">
          A duel plays both on the same seeds, so that they start from the same conditions.
        </EmptyState>
      )}
    </Panel>
  );
}
