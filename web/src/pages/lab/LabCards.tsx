/** The four numbers under the feed: of the training, or of the shown evaluation. */

import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { evaluationsQuery } from "@/entities/evaluations/queries";
import { useTicks } from "@/entities/metrics/use-ticks";
import { formatCount, formatNumber, formatSigned } from "@/lib/format";
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
        value={last("episode_length") ?? run?.summary.mean_length}
        recent={ticks.map((t) => t.episode_length)}
        note="steps"
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

export function EvaluationCards({ runId, evaluationId }: { runId: string; evaluationId: string }) {
  const all = useQuery(evaluationsQuery(runId)).data;
  const numbers = all?.find((e) => e.run_id === evaluationId)?.summary;
  const successes = numbers?.successes;
  return (
    <div className={GRID} data-tour="metrics">
      <MetricCard
        title="Mean reward"
        value={numbers?.return_mean}
        text={numbers ? formatSigned(numbers.return_mean) : undefined}
        note={numbers ? `± ${formatNumber(numbers.return_std)}` : ""}
      />
      <MetricCard title="Eps length" value={numbers?.length_mean} note="steps, mean" />
      <MetricCard
        title="Solved"
        value={null}
        text={numbers && successes != null ? `${successes} of ${numbers.episodes}` : undefined}
        note={numbers?.success_threshold != null ? `at ${formatNumber(numbers.success_threshold)}` : ""}
      />
      <MetricCard
        title="Checkpoint"
        value={numbers?.checkpoint_timestep}
        text={numbers?.checkpoint_timestep != null ? formatCount(numbers.checkpoint_timestep) : undefined}
        note="step"
      />
    </div>
  );
}
