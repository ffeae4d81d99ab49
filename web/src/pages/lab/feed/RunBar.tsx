/** The run under the stage: name, status, how far and how fast it is; when it has ended, what to do with it. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, memo, Suspense } from "react";
import type { Evaluation, Run } from "@/api/types";
import { useLiveState } from "@/api/use-live";
import { evaluationsQuery } from "@/entities/evaluations/queries";
import { runsQuery } from "@/entities/runs/queries";
import { RunMoves } from "@/entities/runs/RunMoves";
import { RunProgress } from "@/entities/runs/RunProgress";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { hasWorker, isOver } from "@/entities/runs/status";
import { useSolved } from "@/entities/solved/use-solved";
import { patiently } from "@/lib/chunks";
import { formatNumber, formatSigned } from "@/lib/format";
import type { Shown } from "@/pages/lab/use-shown";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { Menu } from "@/ui/Menu";
import { StaleNote } from "@/ui/states";

const EndedRun = lazy(() => patiently(() => import("./EndedRun")));

const RECENT = 10;

/** Drawn again only when the run changes: the feed above it changes five times a second. */
export const RunBar = memo(AskedRunBar, (before, after) => before.run === after.run);

function AskedRunBar({ run, shown }: { run: Run; shown: Shown }) {
  const runs = useInfiniteQuery(runsQuery()).data?.pages[0]?.items ?? [];
  const latest = useQuery(evaluationsQuery(run.id)).data?.find((one) => one.status !== "failed");
  return (
    <RunBarView
      run={run}
      isConnected={useLiveState() === "connected"}
      others={runs.filter((other) => other.id !== run.id).slice(0, RECENT)}
      latest={latest}
      onRun={shown.showRun}
      onEvaluation={(evaluationId) => shown.showEvaluation(run.id, evaluationId)}
    />
  );
}

interface RunBarViewProps {
  run: Run;
  isConnected: boolean;
  others: readonly Run[];
  latest: Evaluation | undefined;
  onRun: (runId: string) => void;
  onEvaluation: (evaluationId: string) => void;
}

function RunBarView({ run, isConnected, others, latest, onRun, onEvaluation }: RunBarViewProps) {
  // Why a run ended well fits next to its status; why it failed needs its own lines.
  const isCalm = run.status === "succeeded" || run.status === "stopped";
  const { threshold, isSolved } = useSolved(run);
  const reason = `${run.reason?.message ?? ""} ${run.reason?.next_step ?? ""}`.trim();
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
        <OtherRuns runs={others} onRun={onRun} />
        <StatusBadge status={run.status} cause={run.reason?.cause} />
        {isSolved && !isOver(run) && <Badge tone="good">Solved</Badge>}
        {isCalm && !isSolved && run.reason && run.reason.cause !== "done" && (
          <p title={reason} className="min-w-0 flex-1 truncate text-xs text-ink-2">
            {reason}
          </p>
        )}
        {!isConnected && <StaleNote since={run.updated_at} />}
        <div className="ml-auto flex items-center gap-2">
          {latest && <LatestEvaluation evaluation={latest} onOpen={() => onEvaluation(latest.run_id)} />}
          <RunMoves run={run} small />
        </div>
      </div>
      {isOver(run) && run.kind === "train" && (
        <Suspense fallback={<div className="h-7" />}>
          <EndedRun run={run} isSolved={isSolved} threshold={threshold} onEvaluation={onEvaluation} />
        </Suspense>
      )}
      {hasWorker(run) && <RunProgress run={run} />}
      {run.reason && !isCalm && (
        <p className="text-xs text-ink-2">
          {run.reason.message} <span className="text-ink">{run.reason.next_step}</span>
        </p>
      )}
    </div>
  );
}

function OtherRuns({ runs, onRun }: { runs: readonly Run[]; onRun: (runId: string) => void }) {
  if (runs.length === 0) return null;
  return (
    <Menu
      trigger={<IconButton icon="down" label="Show another run" className="-ml-2 size-6!" />}
      items={runs.map((run) => ({
        key: run.id,
        title: `${run.name} · ${run.status} · ${formatNumber(run.summary.mean_reward)}`,
        run: () => onRun(run.id),
      }))}
    />
  );
}

/** One click to the last evaluation. */
function LatestEvaluation({ evaluation, onOpen }: { evaluation: Evaluation; onOpen: () => void }) {
  const mean = evaluation.summary?.return_mean;
  return (
    <Button small kind="quiet" icon="check" onClick={onOpen}>
      {mean === undefined ? "Evaluation" : `Evaluated ${formatSigned(mean)}`}
    </Button>
  );
}
