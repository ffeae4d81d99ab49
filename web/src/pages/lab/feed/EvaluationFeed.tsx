/** TEST in the feed: which run and checkpoint it tests, its frames, then its video; one click leads back to training. */

import { useState } from "react";
import type { Run } from "@/api/types";
import { addressOf } from "@/entities/artifacts/queries";
import { useEvaluation } from "@/entities/evaluations/use-evaluations";
import { formatCount, formatSigned } from "@/lib/format";
import { prefersReducedMotion } from "@/lib/motion";
import type { Columns } from "@/pages/lab/use-columns";
import { QueuedNote } from "@/panels/queued/QueuedNote";
import { edgeReader } from "@/panels/stage/edge";
import type { StageReport } from "@/panels/stage/player";
import { rateBadge, Stage } from "@/panels/stage/Stage";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { ErrorState } from "@/ui/states";
import { EvaluationBar } from "./EvaluationBar";
import { FeedLoading, FeedPanel, STAGE } from "./FeedPanel";

export interface EvaluationFeedProps {
  runId: string;
  evaluationId: string;
  columns: Columns;
  onBack: () => void;
}

export default function EvaluationFeed({ runId, evaluationId, columns, onBack }: EvaluationFeedProps) {
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
      <Badge tone="strong">EVALUATION</Badge>
      <Badge>{`${numbers.episodes} EPISODES`}</Badge>
      <Badge>{`REWARD ${formatSigned(numbers.return_mean)}`}</Badge>
    </>
  ) : (
    <>
      <Badge tone="strong">EVALUATION</Badge>
      <Badge>{`EPISODE ${formatCount(header?.episode)}`}</Badge>
      <Badge>{`REWARD ${formatSigned(header?.return)}`}</Badge>
    </>
  );
  return (
    <FeedPanel title="Live feed" columns={columns} badges={badges} actions={back}>
      {run.isError && <ErrorState error={run.error} onRetry={() => void run.refetch()} />}
      {run.isPending && <FeedLoading />}
      {run.data && video && <EvaluationVideo key={video} artifactId={video} />}
      {run.data && !video && (
        <Stage
          path={`/api/runs/${evaluationId}/frames`}
          label="Live feed of the evaluation"
          placeholder={
            run.data.status === "queued" ? <QueuedNote run={run.data} /> : <p>{placeholder(run.data)}</p>
          }
          badges={rateBadge}
          onReport={setReport}
          className={STAGE}
        />
      )}
      {run.data && <EvaluationBar run={run.data} numbers={numbers} problem={numbers?.video_problem} />}
    </FeedPanel>
  );
}

function placeholder(run: Run): string {
  if (run.status === "failed" || run.status === "lost")
    return run.reason?.message ?? "The evaluation failed.";
  return "The first episode appears here in a moment.";
}

function EvaluationVideo({ artifactId }: { artifactId: string }) {
  const [edge, setEdge] = useState<string | null>(null);
  return (
    <video
      src={addressOf({ id: artifactId })}
      aria-label="Video of the evaluation"
      autoPlay={!prefersReducedMotion()}
      onLoadedData={({ currentTarget: video }) => setEdge(edgeReader()(video, video.videoHeight))}
      style={edge ? { backgroundColor: edge } : undefined}
      muted
      loop
      playsInline
      controls
      className={`${STAGE} min-h-0 w-full bg-stage object-contain`}
    />
  );
}
