/** LIVE FEED of a run: its newest episode on the dark stage, RECORD and RESET, where it stands and what it can do. */
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { memo, useState } from "react";
import { api, data } from "@/api/client";
import type { Run } from "@/api/types";
import { useLiveState } from "@/api/use-live";
import { evaluationsQuery } from "@/entities/evaluations/queries";
import { summaryOf } from "@/entities/results/results";
import { runsQuery } from "@/entities/runs/queries";
import { RunMoves } from "@/entities/runs/RunMoves";
import { RunProgress } from "@/entities/runs/RunProgress";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { formatCount, formatNumber, formatSigned } from "@/lib/format";
import type { Shown } from "@/pages/lab/use-shown";
import type { FrameHeader } from "@/panels/stage/frame";
import { rateBadge, Stage } from "@/panels/stage/Stage";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { Menu } from "@/ui/Menu";
import { StaleNote } from "@/ui/states";
import { toast } from "@/ui/toasts";
import { type Columns, FeedPanel, STAGE } from "./FeedPanel";

const CLIP_S = 10;

export function TrainingFeed({ run, shown, columns }: { run: Run; shown: Shown; columns: Columns }) {
  const [header, setHeader] = useState<FrameHeader | null>(null);
  const [round, setRound] = useState(0);
  return (
    <FeedPanel
      title="Live feed"
      columns={columns}
      badges={
        <>
          <Badge>{`EPISODE ${formatCount(header?.episode ?? run.progress.episodes)}`}</Badge>
          <Badge>{`REWARD ${formatSigned(header?.return ?? run.summary.last_reward)}`}</Badge>
        </>
      }
      actions={
        <>
          <RecordButton runId={run.id} isShowing={header !== null} />
          <Button
            small
            icon="reset"
            kind="quiet"
            title="Clears the stage and follows the newest episode again"
            onClick={() => setRound((n) => n + 1)}
          >
            Reset
          </Button>
        </>
      }
    >
      <Stage
        key={round}
        path={`/api/runs/${run.id}/frames`}
        label={`Live feed of ${run.name}`}
        placeholder={<Waiting run={run} />}
        badges={rateBadge}
        onReport={(report) => setHeader(report.header)}
        className={STAGE}
      />
      <RunBar run={run} shown={shown} />
    </FeedPanel>
  );
}

function Waiting({ run }: { run: Run }) {
  const words: Partial<Record<Run["status"], string>> = {
    created: "This run has not been started.",
    queued: "Waiting for a free slot.",
    starting: "The worker is being started.",
    failed: "The run failed before it played anything.",
  };
  return <p>{words[run.status] ?? "The first episode appears here in a moment."}</p>;
}

function RecordButton({ runId, isShowing }: { runId: string; isShowing: boolean }) {
  const record = useMutation({
    mutationFn: () =>
      data(
        api.POST("/api/runs/{run_id}/clips", {
          params: { path: { run_id: runId } },
          body: { seconds: CLIP_S },
        }),
      ),
    onSuccess: (clip) =>
      toast(`${clip.title} saved with the run.`, {
        link: { title: "Open", href: `/api/artifacts/${clip.id}` },
      }),
  });
  return (
    <Button
      small
      icon="record"
      kind="quiet"
      title={`Keeps the last ${CLIP_S} seconds of the feed as a video`}
      reason={isShowing ? null : "There is nothing on the stage to record yet."}
      disabled={record.isPending}
      onClick={() => record.mutate()}
    >
      {record.isPending ? "Saving" : "Record"}
    </Button>
  );
}

/** The run under the stage: name, state, moves, how far and how fast. */
const RunBar = memo(RunBarNow, (before, after) => before.run === after.run);

function RunBarNow({ run, shown }: { run: Run; shown: Shown }) {
  const isConnected = useLiveState() === "connected";
  // How a run ended well fits beside its state; how it failed needs its own lines.
  const isCalm = run.status === "succeeded" || run.status === "stopped";
  const said = `${run.reason?.message ?? ""} ${run.reason?.next_step ?? ""}`.trim();
  return (
    <div className="flex flex-col gap-2 border-t px-4 py-3">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1.5">
        <Link
          to="/runs/$runId"
          params={{ runId: run.id }}
          className="min-w-0 truncate text-sm font-medium hover:underline"
        >
          {run.name}
        </Link>
        <RecentRuns run={run} shown={shown} />
        <StatusBadge status={run.status} />
        {isCalm && run.reason && run.reason.cause !== "done" && (
          <p title={said} className="min-w-0 flex-1 truncate text-xs text-ink-2">
            {said}
          </p>
        )}
        {!isConnected && <StaleNote since={run.updated_at} />}
        <div className="ml-auto flex items-center gap-2">
          <LatestEvaluation run={run} shown={shown} />
          <RunMoves run={run} small />
        </div>
      </div>
      <RunProgress run={run} />
      {run.reason && !isCalm && (
        <p className="text-xs text-ink-2">
          {run.reason.message} <span className="text-ink">{run.reason.next_step}</span>
        </p>
      )}
    </div>
  );
}

function RecentRuns({ run, shown }: { run: Run; shown: Shown }) {
  const runs = useInfiniteQuery(runsQuery()).data?.pages[0]?.items ?? [];
  const others = runs.filter((other) => other.id !== run.id).slice(0, 10);
  if (others.length === 0) return null;
  return (
    <Menu
      trigger={<IconButton icon="down" label="Show another run" className="-ml-2 size-6!" />}
      items={others.map((other) => ({
        key: other.id,
        title: `${other.name} · ${other.status} · ${formatNumber(other.summary.mean_reward)}`,
        run: () => shown.showRun(other.id),
      }))}
    />
  );
}

/** One click to what the last evaluation saw. */
function LatestEvaluation({ run, shown }: { run: Run; shown: Shown }) {
  const latest = useQuery(evaluationsQuery(run.id)).data?.find((e) => e.status !== "failed");
  if (!latest) return null;
  const mean = summaryOf(latest.summary)?.return_mean;
  return (
    <Button small kind="quiet" icon="check" onClick={() => shown.showEvaluation(run.id, latest.run_id)}>
      {mean === undefined ? "Evaluation" : `Evaluated ${formatSigned(mean)}`}
    </Button>
  );
}
