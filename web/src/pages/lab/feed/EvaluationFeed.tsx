/** TEST in the feed: the evaluation's frames while it plays, then its video; one click leads back to training. */
import { useState } from "react";
import type { Run } from "@/api/types";
import { useEvaluation } from "@/entities/evaluations/use-evaluations";
import { RunMoves } from "@/entities/runs/RunMoves";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { isOver } from "@/entities/runs/status";
import { formatCount, formatSigned } from "@/lib/format";
import type { StageReport } from "@/panels/stage/player";
import { rateBadge, Stage } from "@/panels/stage/Stage";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Progress } from "@/ui/Progress";
import { ErrorState } from "@/ui/states";
import { type Columns, FeedLoading, FeedPanel, STAGE } from "./FeedPanel";

export interface EvaluationFeedProps {
  runId: string;
  evaluationId: string;
  columns: Columns;
  onBack: () => void;
}

export function EvaluationFeed({ runId, evaluationId, columns, onBack }: EvaluationFeedProps) {
  const { run, numbers, video } = useEvaluation(runId, evaluationId);
  const [report, setReport] = useState<StageReport | null>(null);
  const header = report?.header ?? null;
  const back = (
    <Button small icon="left" onClick={onBack}>
      Back to training
    </Button>
  );
  const badges = numbers ? (
    <>
      <Badge>{`${numbers.episodes} EPISODES`}</Badge>
      <Badge>{`REWARD ${formatSigned(numbers.return_mean)}`}</Badge>
    </>
  ) : (
    <>
      <Badge>{`EPISODE ${formatCount(header?.episode)}`}</Badge>
      <Badge>{`REWARD ${formatSigned(header?.return)}`}</Badge>
    </>
  );
  return (
    <FeedPanel title="Evaluation" columns={columns} badges={badges} actions={back}>
      {run.isError && <ErrorState error={run.error} onRetry={() => void run.refetch()} />}
      {run.isPending && <FeedLoading />}
      {run.data && video && (
        <video
          key={video}
          src={`/api/artifacts/${video}`}
          aria-label="Video of the evaluation"
          autoPlay={!window.matchMedia("(prefers-reduced-motion: reduce)").matches}
          muted
          loop
          playsInline
          controls
          className={`${STAGE} min-h-0 w-full bg-stage object-contain`}
        />
      )}
      {run.data && !video && (
        <Stage
          path={`/api/runs/${evaluationId}/frames`}
          label="Live feed of the evaluation"
          placeholder={<p>{placeholder(run.data)}</p>}
          badges={rateBadge}
          onReport={setReport}
          className={STAGE}
        />
      )}
      {run.data && <EvaluationBar run={run.data} problem={numbers?.video_problem} />}
    </FeedPanel>
  );
}

function placeholder(run: Run): string {
  if (run.status === "failed" || run.status === "lost")
    return run.reason?.message ?? "The evaluation failed.";
  return run.status === "queued" ? "Waiting for a free slot." : "The first episode appears here in a moment.";
}

function EvaluationBar({ run, problem }: { run: Run; problem?: string | null }) {
  const wanted = run.config.kind === "evaluate" ? run.config.episodes : 0;
  const done = Math.min(wanted, run.progress.episodes);
  const isDone = isOver(run);
  const isFilming = !isDone && wanted > 0 && done >= wanted;
  return (
    <div className="flex flex-col gap-2 border-t px-4 py-3">
      <div className="flex min-h-7 flex-wrap items-center gap-3">
        <span className="text-sm font-medium">{run.name}</span>
        <StatusBadge status={run.status} />
        {!isDone && (
          <div className="ml-auto">
            <RunMoves run={run} small />
          </div>
        )}
      </div>
      <Progress label="Progress of the evaluation" fraction={wanted > 0 ? done / wanted : null} />
      <p className="figures text-xs text-ink-2">
        {`${done} of ${wanted} episodes`}
        {isFilming && ", the video is being made"}
      </p>
      {problem && <p className="text-xs text-warn">{problem}</p>}
      {run.reason && run.status !== "succeeded" && (
        <p className="text-xs text-ink-2">
          {run.reason.message} <span className="text-ink">{run.reason.next_step}</span>
        </p>
      )}
    </div>
  );
}
