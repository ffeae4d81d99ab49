/** One evaluation: its numbers and video, its progress, or why it failed. */
import { Link } from "@tanstack/react-router";
import type { Evaluation } from "@/api/types";
import { addressOf, downloadOf } from "@/entities/artifacts/queries";
import { playedText } from "@/entities/evaluations/test-run";
import { summaryOf } from "@/entities/results/results";
import { useRun } from "@/entities/runs/live-runs";
import { RunProgress } from "@/entities/runs/RunProgress";
import { RunReason } from "@/entities/runs/RunReason";
import { isLive } from "@/entities/runs/status";
import { SummaryFacts } from "@/panels/evaluation/SummaryFacts";
import { Stage } from "@/panels/stage/Stage";
import { VideoPlayer } from "@/panels/video/VideoPlayer";
import { Panel } from "@/ui/Panel";

export function EvaluationDetail({ evaluation }: { evaluation: Evaluation }) {
  const run = useRun(evaluation.run_id).data;
  const summary = evaluation.summary ?? (run ? summaryOf(run.summary.result) : null);
  const played = summary && playedText(summary);
  const isGoing = run ? isLive(run) : false;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Panel
        title="Result"
        aside={played && <span className="figures text-xs text-ink-3">{`checkpoint at ${played}`}</span>}
      >
        {run && isGoing && <RunProgress run={run} />}
        {run && <RunReason run={run} />}
        {summary && <SummaryFacts summary={summary} />}
        {summary?.notes?.map((note) => (
          <p key={note} className="mt-3 text-sm text-warn">
            {note}
          </p>
        ))}
        {summary?.video_problem && <p className="mt-3 text-sm text-warn">{summary.video_problem}</p>}
      </Panel>
      {(evaluation.video || isGoing) && (
        <Panel
          title={isGoing ? "Live" : "Video"}
          flush
          actions={
            <Link
              to="/runs/$runId"
              params={{ runId: evaluation.run_id }}
              search={{ tab: "episodes" }}
              className="label px-2 text-ink-2 underline-offset-4 hover:underline"
            >
              Step through
            </Link>
          }
        >
          {evaluation.video ? (
            <VideoPlayer
              src={addressOf({ id: evaluation.video })}
              download={downloadOf({ id: evaluation.video })}
              label="Video of the evaluation"
            />
          ) : (
            <Stage
              path={`/api/runs/${evaluation.run_id}/frames`}
              label="The evaluation, live"
              placeholder="The first frame appears with the first step."
            />
          )}
        </Panel>
      )}
    </div>
  );
}
