/** Which run and which checkpoint TEST plays. */
import type { Artifact, Run } from "@/api/types";
import { bestBy, shortReturn } from "@/entities/artifacts/checkpoints";
import { testedCheckpoint, useCheckpoints } from "@/entities/artifacts/use-checkpoints";
import { checkpointText, TEST } from "@/entities/evaluations/test-run";

export default function NamedNote({ run }: { run: Run }) {
  const checkpoint = testedCheckpoint(useCheckpoints(run.id).list, TEST.checkpoint ?? null);
  return (
    <p className="text-xs text-pretty text-ink-3 max-lg:hidden">
      {`TEST plays ${run.name}${checkpoint ? `, ${testedText(run, checkpoint)}` : ""}.`}
    </p>
  );
}

/** "step 40,000, best by evaluation on 5 fixed seeds (213 by evaluation)" */
function testedText(run: Run, checkpoint: Artifact): string {
  if (checkpoint.role !== "best") return checkpointText(checkpoint);
  const value = shortReturn(checkpoint);
  const text = checkpointText({ timestep: checkpoint.timestep, role: bestBy(run) });
  return value ? `${text} (${value})` : text;
}
