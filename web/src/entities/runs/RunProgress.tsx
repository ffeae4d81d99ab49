/** How far a run is, how fast, and how long it still takes. */
import type { Run } from "@/api/types";
import { formatDuration, formatNumber } from "@/lib/format";
import { Progress } from "@/ui/Progress";
import { hasWorker } from "./status";
import { hasKnownEnd, progressText } from "./words";

export function RunProgress({ run }: { run: Run }) {
  const { progress } = run;
  // A run that was solved early is complete, even with steps left.
  const known = hasKnownEnd(run) ? progress.fraction : null;
  const isLive = hasWorker(run);
  // Before its first attempt a run has no speed and took no time.
  const isStarted = run.attempt > 0;
  const fraction = run.status === "succeeded" ? 1 : isStarted ? known : 0;
  return (
    <div className="flex flex-col gap-1.5">
      <Progress label={`Progress of ${run.name}`} fraction={fraction} />
      <p className="figures flex flex-wrap justify-between gap-x-4 text-xs text-ink-2">
        <span>{progressText(run)}</span>
        {isStarted && (
          <>
            {run.kind === "train" && <span>{`${formatNumber(progress.fps)} ${progress.unit}s/s`}</span>}
            <span>
              {isLive && known !== null
                ? `${formatDuration(progress.eta_s)} left`
                : `${isLive ? "" : "took "}${formatDuration(progress.elapsed_s)}`}
            </span>
          </>
        )}
      </p>
    </div>
  );
}
