/** The moment of success: what was reached, after how long, and the curve that crosses its threshold. */
import type { Run } from "@/api/types";
import { ThresholdCurve } from "@/charts/ThresholdCurve";
import { formatCount, formatDuration, formatNumber } from "@/lib/format";
import { Icon } from "@/ui/icons";

export function SolvedNote({ run, threshold }: { run: Run; threshold: number | null }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-good bg-good-soft px-3 py-2"
    >
      <p className="flex min-w-0 flex-1 items-center gap-2 text-sm">
        <span className="heading inline-flex items-center gap-1.5 text-good">
          <Icon name="check" size={14} />
          Solved
        </span>
        <span className="min-w-0">{solvedText(run, threshold)}</span>
      </p>
      <div className="w-40 shrink-0 max-sm:w-full">
        <ThresholdCurve
          title="Mean reward"
          values={run.summary.sparkline}
          threshold={threshold}
          height={36}
        />
      </div>
    </div>
  );
}

export function solvedText(run: Run, threshold: number | null): string {
  const { summary, progress } = run;
  const needed = threshold === null ? "" : `, ${formatNumber(threshold)} needed`;
  const after = `${formatCount(progress.timestep)} steps, ${formatDuration(progress.elapsed_s)}`;
  return `Mean reward ${formatNumber(summary.mean_reward, 4)}${needed}, after ${after}.`;
}
