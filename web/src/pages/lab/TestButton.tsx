/** TEST plays with the run on the stage; the menu next to it has other episodes, seeds and checkpoints. */
import { type ComponentProps, lazy, Suspense } from "react";
import { TEST, whyNotTest } from "@/entities/evaluations/test-run";
import { useEvaluate } from "@/entities/evaluations/use-evaluations";
import { patiently } from "@/lib/chunks";
import { Button, IconButton } from "@/ui/Button";
import { toast } from "@/ui/toasts";
import type { Shown } from "./use-shown";
import { useShownRun } from "./use-shown-run";

const TestMenu = lazy(() => patiently(() => import("./TestMenu")));
const NamedNote = lazy(() => patiently(() => import("./NamedNote")));

export function TestButton({ shown }: { shown: Shown }) {
  const { run, isLoading } = useShownRun(shown.runId);
  const test = useTest(shown);
  const reason = whyNotTest(run, isLoading);
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
      {reason === null ? (
        <Suspense fallback={<HowButton disabled />}>
          <TestMenu
            runId={shown.runId}
            trigger={<HowButton disabled={test.isPending} />}
            onTest={test.mutate}
          />
        </Suspense>
      ) : (
        <HowButton disabled />
      )}
    </div>
  );
}

function HowButton(props: Omit<ComponentProps<typeof IconButton>, "icon" | "label">) {
  return (
    <IconButton
      {...props}
      icon="down"
      label="How to test"
      className="h-auto! min-h-10 w-8! rounded-l-none border border-l-0 border-line-strong"
    />
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
  if (!run || whyNotTest(run, isLoading) !== null) return null;
  return (
    <Suspense fallback={null}>
      <NamedNote run={run} />
    </Suspense>
  );
}
