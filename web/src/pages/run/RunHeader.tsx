/** Name and status of a run; its progress and moves while it works, what to do with it once it has ended. */
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { useLiveState } from "@/api/use-live";
import { ExactResumeBadge } from "@/entities/certificates/ExactResumeBadge";
import { IsolationBadge } from "@/entities/runs/IsolationBadge";
import { RunMoves } from "@/entities/runs/RunMoves";
import { RunProgress } from "@/entities/runs/RunProgress";
import { RunReason } from "@/entities/runs/RunReason";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { hasWorker, isLive, isOver } from "@/entities/runs/status";
import { adoptedFrom, factsOf, progressText } from "@/entities/runs/words";
import { useSolved } from "@/entities/solved/use-solved";
import { useRunColour } from "@/lib/colour";
import { formatDuration } from "@/lib/format";
import { RunActions } from "@/panels/run-actions/RunActions";
import { Badge } from "@/ui/Badge";
import { StaleNote } from "@/ui/states";
import { DatasetLinks } from "./datasets/DatasetLinks";
import { RunMenu } from "./RunMenu";
import { RunName } from "./RunName";
import { RunTags } from "./RunTags";
import { ReturnsBadge } from "./rewards/ReturnsBadge";
import { RewardLink } from "./rewards/RewardLink";
import { StartLink } from "./StartLink";

export interface RunHeaderProps {
  run: Run;
  /** An evaluation was started from here. */
  onEvaluation: (evaluation: Run) => void;
}

export function RunHeader({ run, onEvaluation }: RunHeaderProps) {
  const runColour = useRunColour();
  const hasEnded = isOver(run);
  const isEndedTraining = hasEnded && run.kind === "train";
  const { isSolved } = useSolved(run);
  const isStale = useLiveState() === "stale" && isLive(run);
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex min-w-0 items-start gap-3">
          <span
            aria-hidden="true"
            className="mt-[0.45rem] size-3 shrink-0 rounded-full"
            style={{ background: runColour(run.id) }}
          />
          <RunName run={run} />
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <StatusBadge status={run.status} cause={run.reason?.cause} />
          {run.isolation && <IsolationBadge isolation={run.isolation} />}
          <ReturnsBadge note={run.returns_note} />
          {isStale && <StaleNote since={run.updated_at} />}
          {isSolved && <Badge tone="good">Solved</Badge>}
          <ExactResumeBadge run={run} />
        </div>
        <div className="flex flex-wrap items-center gap-2 lg:ml-auto">
          {isEndedTraining && <RunActions run={run} isMain onEvaluation={onEvaluation} />}
          <RunMoves run={run} small={isEndedTraining} />
          <RunMenu run={run} />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p className="figures text-xs text-ink-3">
          {[...factsOf(run), ...(hasEnded ? endFacts(run) : []), run.id].join(" · ")}
        </p>
        {run.parent_id && (
          <Link
            to="/runs/$runId"
            params={{ runId: run.parent_id }}
            className="text-xs text-ink-2 underline underline-offset-4 hover:text-ink"
          >
            from run {run.parent_id}
          </Link>
        )}
        <StartLink run={run} />
        <DatasetLinks run={run} />
        <RewardLink run={run} />
        {run.study_id && (
          <Link
            to="/studies/$studyId"
            params={{ studyId: run.study_id }}
            className="text-xs text-ink-2 underline underline-offset-4 hover:text-ink"
          >
            {run.variant ? `variant ${run.variant} of its study` : "its study"}
          </Link>
        )}
        {run.source && (
          <span
            className="figures min-w-0 text-xs break-all text-ink-3"
            title={run.source.joined.map(({ folder, evidence }) => `${folder}: ${evidence}`).join("\n")}
          >
            {`adopted from ${adoptedFrom(run.source)}`}
          </span>
        )}
        <RunTags run={run} />
      </div>
      {hasWorker(run) && <RunProgress run={run} />}
      <RunReason run={run} />
    </header>
  );
}

/** What a progress bar says of a run that works: how far it came, and how long it took. */
const endFacts = (run: Run): string[] =>
  run.attempt > 0 ? [progressText(run), `took ${formatDuration(run.progress.elapsed_s)}`] : [];
