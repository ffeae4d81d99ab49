/** How far the bench is, what it left out, and what went wrong. */
import type { BenchState } from "@/entities/bench/state";
import { formatCount, formatDuration, formatPlural } from "@/lib/format";
import { ErrorState } from "@/ui/states";
import { RewardProblem } from "./RewardProblem";

export function BenchProgress({ state }: { state: BenchState }) {
  const { phase, plan, episodes, problems, error } = state;
  if (phase === "idle") return null;
  const leftOut = state.summary?.left_out ?? plan?.left_out ?? [];
  const total = plan?.total ?? 0;
  return (
    <div className="flex flex-col gap-3">
      {phase === "failed" && error !== null && <ErrorState error={error} />}
      {error === null && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {phase === "running" && <Bar share={total > 0 ? episodes.length / total : 0} />}
          <p role="status" className="figures text-xs text-ink-2">
            {progressText(state)}
          </p>
        </div>
      )}
      {problems.map((problem, i) => (
        <RewardProblem key={i} problem={problem} />
      ))}
      {leftOut.map(({ reason, episodes: count }) => (
        <p key={reason} className="text-xs text-ink-2">
          {`Left out: ${formatPlural(count, "episode")}. ${reason}`}
        </p>
      ))}
      {(state.summary?.inexact ?? 0) > 0 && (
        <p className="text-xs text-ink-2">
          {`${formatPlural(state.summary!.inexact, "episode")} could not be simulated exactly as recorded; both returns are those of the simulation.`}
        </p>
      )}
    </div>
  );
}

function progressText({ phase, plan, episodes, seconds }: BenchState): string {
  if (!plan) return phase === "running" ? "Looking for recorded episodes…" : "";
  const of = `${formatCount(episodes.length)} of ${formatPlural(plan.total, "episode")}`;
  const from = `from ${formatPlural(plan.runs.length, "run")}`;
  if (phase === "running") return `${of} ${from}`;
  if (phase === "stopped") return `Stopped after ${of}.`;
  const chosen = plan.recorded > plan.total ? ` (chosen from ${formatCount(plan.recorded)})` : "";
  return `${formatPlural(episodes.length, "episode")} ${from}${chosen}${seconds === null ? "" : `, ${formatDuration(seconds)}`}`;
}

function Bar({ share }: { share: number }) {
  return (
    <div
      role="progressbar"
      aria-label="Scored episodes"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className="h-1.5 w-40 rounded-full bg-sunken"
    >
      <div className="h-full rounded-full bg-live" style={{ width: `${share * 100}%` }} />
    </div>
  );
}
