/** The four numbers under the feed: of the training, of the shown evaluation, or of the previewed environment. */

import { useQuery } from "@tanstack/react-query";
import type { EvaluationSummary, Run } from "@/api/types";
import { environmentsQuery } from "@/entities/environments/queries";
import { useEvaluation } from "@/entities/evaluations/use-evaluations";
import { useTicks } from "@/entities/metrics/use-ticks";
import { formatNumber, formatSigned } from "@/lib/format";
import { MetricCard } from "@/panels/metric-card/MetricCard";

const GRID = "grid shrink-0 grid-cols-2 gap-3 sm:grid-cols-4";

export function TrainingCards({ run }: { run: Run | undefined }) {
  const ticks = useTicks(run?.id ?? null);
  const last = <K extends "mean_reward" | "episode_length" | "loss" | "fps">(name: K) =>
    ticks.findLast((tick) => tick[name] !== null)?.[name];
  const mean = last("mean_reward") ?? run?.summary.mean_reward ?? null;
  // Ticks are ahead of the run's own summary: the best is never less than what is shown.
  const known = [mean, run?.summary.best_mean_reward ?? null].filter((value) => value !== null);
  const best = known.length > 0 ? Math.max(...known) : null;
  return (
    <div className={GRID} data-tour="metrics">
      <MetricCard
        title="Mean reward"
        value={mean}
        recent={ticks.map((t) => t.mean_reward)}
        note={best === null ? "" : `best ${formatNumber(best)}`}
      />
      <MetricCard
        title="Eps length"
        value={run?.summary.mean_length}
        recent={ticks.map((t) => t.episode_length)}
        note="steps, mean of 100"
      />
      <MetricCard
        title="Loss"
        value={last("loss") ?? run?.summary.loss}
        recent={ticks.map((t) => t.loss)}
        note="of the last update"
      />
      <MetricCard
        title="FPS"
        value={last("fps") ?? run?.progress.fps}
        recent={ticks.map((t) => t.fps)}
        note="steps per second"
      />
    </div>
  );
}

/** The same four of an evaluation: it learns nothing, so the loss stays that of the training. */
export function EvaluationCards({ run, evaluationId }: { run: Run; evaluationId: string }) {
  const { run: evaluation, numbers } = useEvaluation(run.id, evaluationId);
  return (
    <div className={GRID} data-tour="metrics">
      <MetricCard
        title="Mean reward"
        value={numbers?.return_mean}
        text={numbers ? formatSigned(numbers.return_mean) : undefined}
        note={
          numbers
            ? [`± ${formatNumber(numbers.return_std)}`, solvedNote(numbers)].filter(Boolean).join(" · ")
            : ""
        }
      />
      <MetricCard title="Eps length" value={numbers?.length_mean} note="steps, mean of the evaluation" />
      <MetricCard title="Loss" value={run.summary.loss} note="of the training" />
      <MetricCard title="FPS" value={evaluation.data?.progress.fps} note="steps per second" />
    </div>
  );
}

const solvedNote = ({ successes, episodes }: EvaluationSummary): string =>
  successes == null ? "" : `${successes} of ${episodes} solved`;

/** Nothing is trained in a preview: the four facts of its environment. */
export function PreviewCards({ envId }: { envId: string }) {
  const environment = useQuery(environmentsQuery).data?.find(({ id }) => id === envId);
  return (
    <div className={GRID} data-tour="metrics">
      <MetricCard
        title="Actions"
        value={null}
        text={environment?.action_space}
        note="what the agent chooses"
      />
      <MetricCard title="Observation" value={null} text={environment?.obs_space} note="what the agent sees" />
      <MetricCard title="Solved at" value={environment?.reward_threshold} note="mean of 100 episodes" />
      <MetricCard title="Eps length" value={environment?.max_episode_steps} note="steps at most" />
    </div>
  );
}
