/** The trained models of the chosen environment: watch, test, or continue to train. */
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { TEST } from "@/entities/evaluations/test-run";
import { useEvaluate } from "@/entities/evaluations/use-evaluations";
import { runsQuery } from "@/entities/runs/queries";
import { useResume } from "@/entities/runs/use-resume";
import { trainConfigOf } from "@/entities/runs/words";
import { formatDate, formatNumber } from "@/lib/format";
import type { Shown } from "@/pages/lab/use-shown";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { trainedModels, whyNotContinue } from "./trained";

export interface TrainedModelsProps {
  envId: string;
  /** The environment's name. */
  title: string;
  shown: Pick<Shown, "runId" | "showRun" | "showEvaluation">;
  onTrainNew: () => void;
}

export default function TrainedModels({ envId, title, shown, onTrainNew }: TrainedModelsProps) {
  const runs = useInfiniteQuery(runsQuery({ env_id: envId, sort: "-best_mean_reward" }));
  const models = trainedModels(runs.data?.pages.flatMap((page) => page.items) ?? []);
  return (
    <Panel
      title="Trained models"
      caps
      flush
      className="shrink-0"
      aside={<span className="figures text-2xs text-ink-3">{runs.data ? models.length : ""}</span>}
    >
      {runs.isPending && (
        <div className="p-4">
          <Loading lines={4} label="Loading the models" />
        </div>
      )}
      {runs.isError && <ErrorState error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.isSuccess && models.length === 0 && (
        <EmptyState
          title={`No model for ${title} yet`}
          action={
            <Button small onClick={onTrainNew}>
              Train one
            </Button>
          }
        >
          A training saves its model as it learns.
        </EmptyState>
      )}
      <ul>
        {models.map((run) => (
          <Model key={run.id} run={run} shown={shown} />
        ))}
      </ul>
    </Panel>
  );
}

function Model({ run, shown }: { run: Run; shown: TrainedModelsProps["shown"] }) {
  const test = useEvaluate(run.id, (made) => shown.showEvaluation(run.id, made.id));
  const move = useResume(run.id);
  const resume = () => move.mutate({}, { onSuccess: () => shown.showRun(run.id) });
  const isShown = run.id === shown.runId;
  return (
    <li className={cx("flex flex-col gap-1.5 border-b px-3 py-2.5 last:border-0", isShown && "bg-select")}>
      <p className="flex items-baseline justify-between gap-2">
        <span className="min-w-0 truncate text-sm font-medium" title={run.name}>
          {run.name}
        </span>
        <span className="figures text-sm" title="Best mean reward of 100 episodes">
          {formatNumber(run.summary.best_mean_reward)}
        </span>
      </p>
      <p className="figures flex justify-between gap-2 text-2xs text-ink-3">
        <span>{trainConfigOf(run)?.algorithm.toUpperCase()}</span>
        <span>{formatDate(run.ended_at ?? run.updated_at)}</span>
      </p>
      <div role="group" aria-label={run.name} className="flex gap-1">
        <Button small aria-pressed={isShown} onClick={() => shown.showRun(run.id)}>
          Watch
        </Button>
        <Button small caps disabled={test.isPending} onClick={() => test.mutate(TEST)}>
          Test
        </Button>
        <Button
          small
          reason={whyNotContinue(run)}
          disabled={move.isPending}
          onClick={resume}
          className="px-1.5!"
        >
          Continue
        </Button>
      </div>
    </li>
  );
}
