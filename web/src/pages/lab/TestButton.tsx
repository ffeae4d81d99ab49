/** TEST plays with the run on the stage; the menu next to it has more episodes and fresh seeds. */
import type { Artifact, Run } from "@/api/types";
import { bestBy, choicesOf, shortReturn } from "@/entities/artifacts/checkpoints";
import { testedCheckpoint, useCheckpoints } from "@/entities/artifacts/use-checkpoints";
import { checkpointText, TEST, TESTS, testOf, whyNotTest } from "@/entities/evaluations/test-run";
import { useEvaluate } from "@/entities/evaluations/use-evaluations";
import { Button, IconButton } from "@/ui/Button";
import { Menu } from "@/ui/Menu";
import { toast } from "@/ui/toasts";
import type { Shown } from "./use-shown";
import { useShownRun } from "./use-shown-run";

/** The best, the newest and some before it; the list of checkpoints has all. */
const MOST_CHOICES = 8;

export function TestButton({ shown }: { shown: Shown }) {
  const { run, isLoading } = useShownRun(shown.runId);
  const test = useTest(shown);
  const reason = whyNotTest(run, isLoading);
  const choices = choicesOf(useCheckpoints(shown.runId).list).slice(0, MOST_CHOICES);
  return (
    <div className="flex flex-1">
      <Button
        icon="check"
        caps
        className="h-auto! min-h-10 flex-1 rounded-r-none"
        reason={reason}
        disabled={test.isPending}
        onClick={() => test.mutate(TEST)}
      >
        Test
      </Button>
      <Menu
        trigger={
          <IconButton
            icon="down"
            label="How to test"
            disabled={reason !== null || test.isPending}
            className="h-auto! min-h-10 w-8! rounded-l-none border border-l-0 border-line-strong"
          />
        }
        items={[
          ...TESTS.map(({ title, wanted }) => ({ title, run: () => test.mutate(wanted) })),
          ...choices.map(({ id, title, isBest }) => ({
            key: id,
            title: `5 episodes with: ${title}`,
            run: () => test.mutate(testOf(5, false, isBest ? null : id)),
          })),
        ]}
      />
    </div>
  );
}

/** Starts an evaluation of the run on the stage and shows it there. */
export function useTest(shown: Shown) {
  return useEvaluate(shown.runId ?? "", (made) => {
    if (made.config.kind === "evaluate") toast(`Evaluation started: ${made.config.episodes} episodes.`);
    shown.showEvaluation(shown.runId!, made.id);
  });
}

/** One line under TRAIN and TEST: which run and which checkpoint TEST plays. */
export function TestedNote({ shown }: { shown: Shown }) {
  const { run, isLoading } = useShownRun(shown.runId);
  return run && whyNotTest(run, isLoading) === null ? <NamedNote run={run} /> : null;
}

function NamedNote({ run }: { run: Run }) {
  const checkpoint = testedCheckpoint(useCheckpoints(run.id).list, TEST.checkpoint ?? null);
  return (
    <p className="text-xs text-pretty text-ink-3 max-lg:hidden">
      {`TEST plays ${run.name}${checkpoint ? `, ${testedText(run, checkpoint)}` : ""}.`}
    </p>
  );
}

/** "step 40,000, best by evaluation on 5 fixed seeds: 213 by evaluation" */
function testedText(run: Run, checkpoint: Artifact): string {
  if (checkpoint.role !== "best") return checkpointText(checkpoint);
  const value = shortReturn(checkpoint);
  const text = checkpointText({ timestep: checkpoint.timestep, role: bestBy(run) });
  return value ? `${text} (${value})` : text;
}
