/** A duel on the seeds that a person has played: their episodes against a policy, with the paired statistics. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Run } from "@/api/types";
import { useStartDuel } from "@/entities/duels/use-start-duel";
import type { PolicyChoice } from "@/panels/policy-select/actors";
import { PolicySelect } from "@/panels/policy-select/PolicySelect";
import { Button } from "@/ui/Button";
import { Popover } from "@/ui/Popover";

/** As many seeds as a duel may have. */
const MOST_SEEDS = 100;

export function DuelPolicy({ run, finished }: { run: Run; finished: number }) {
  if (finished === 0)
    return (
      <Button small icon="columns" reason="Finish an episode first: a duel compares on its seed.">
        Duel a policy on my seeds
      </Button>
    );
  return (
    <Popover
      title="Duel a policy on my seeds"
      trigger={
        <Button small icon="columns">
          Duel a policy on my seeds
        </Button>
      }
    >
      <DuelForm run={run} seeds={Math.min(MOST_SEEDS, finished)} />
    </Popover>
  );
}

function DuelForm({ run, seeds }: { run: Run; seeds: number }) {
  const navigate = useNavigate();
  const [policy, setPolicy] = useState<PolicyChoice | null>(null);
  const contestants = [
    { run_id: run.id },
    ...(policy ? [{ run_id: policy.runId, checkpoint: policy.checkpoint ?? null }] : []),
  ];
  const start = useStartDuel(
    contestants,
    (duel) => void navigate({ to: "/runs/$runId", params: { runId: duel.id } }),
  );
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p className="text-ink-2">The policy plays the seeds that you have played.</p>
      <PolicySelect envId={run.env_id ?? undefined} policy={policy} onChange={setPolicy} />
      <Button
        kind="primary"
        icon="play"
        disabled={start.isPending}
        reason={policy ? null : "Choose a model."}
        onClick={() => start.mutate(seeds)}
      >
        Duel
      </Button>
    </div>
  );
}
