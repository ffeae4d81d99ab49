/** A fork: its progress while it runs, then its replay from the step at which it leaves the original episode. */

import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import type { ForkResult, Run } from "@/api/types";
import { useFork } from "@/entities/episodes/use-fork";
import { forkOf } from "@/entities/results/results";
import { RunReason } from "@/entities/runs/RunReason";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { formatNumber, formatSigned } from "@/lib/format";
import { ReplayPanel } from "@/panels/replay/ReplayPanel";
import { type Replay, useReplay } from "@/panels/replay/use-replay";
import { IconButton } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { Progress } from "@/ui/Progress";
import { EmptyState, ErrorState, Loading } from "@/ui/states";

export interface ForkReplayProps {
  forkId: string;
  onReplay: (replay: Replay | null, mark: number | null) => void;
  onClose: () => void;
}

export function ForkReplay({ forkId, onReplay, onClose }: ForkReplayProps) {
  const { fork, isDone, episode } = useFork(forkId);
  const close = <IconButton icon="close" label="Close the fork" onClick={onClose} />;
  if (fork.data && isDone && episode.data)
    return (
      <PlayedFork fork={fork.data} episode={episode.data.episode} onReplay={onReplay} onClose={onClose} />
    );
  return (
    <Panel title="Fork" actions={close}>
      {fork.isPending && <Loading />}
      {fork.isError && <ErrorState error={fork.error} onRetry={() => void fork.refetch()} />}
      {fork.data && !isDone && <ForkUnderWay fork={fork.data} />}
      {isDone && episode.isPending && <Loading />}
      {episode.isError && <ErrorState error={episode.error} onRetry={() => void episode.refetch()} />}
      {isDone && episode.data === null && (
        <EmptyState title="Nothing recorded">The fork ended without an episode to replay.</EmptyState>
      )}
    </Panel>
  );
}

function comparison({ return: own, parent_return: parent }: ForkResult): string {
  const text = `Return ${formatNumber(own, 4)}`;
  if (parent === null) return `${text}.`;
  return `${text}, compared with ${formatNumber(parent, 4)} of the original episode: ${formatSigned(own - parent, 4)}.`;
}

function ForkUnderWay({ fork }: { fork: Run }) {
  return (
    <div className="flex flex-col gap-3 py-6">
      <StatusBadge status={fork.status} />
      <Progress label="Fork" fraction={null} />
      <p className="text-sm text-ink-2">
        The episode is replayed up to the fork and then continues differently.
      </p>
      <RunReason run={fork} />
    </div>
  );
}

function PlayedFork({
  fork,
  episode,
  onReplay,
  onClose,
}: Omit<ForkReplayProps, "forkId"> & { fork: Run; episode: number }) {
  const forkedAt = fork.config.kind === "fork" ? fork.config.step : 0;
  const replay = useReplay(fork.id, episode, forkedAt);
  useEffect(() => onReplay(replay, forkedAt), [replay, forkedAt, onReplay]);
  useEffect(() => () => onReplay(null, null), [onReplay]);
  const result = forkOf(fork.summary.result);
  return (
    <div className="flex flex-col gap-3">
      <ReplayPanel
        title={`Fork at step ${forkedAt}`}
        replay={replay}
        mark={forkedAt}
        actions={
          <>
            <Link
              to="/runs/$runId"
              params={{ runId: fork.id }}
              className="label px-2 text-ink-2 underline-offset-4 hover:underline"
            >
              Open the run
            </Link>
            <IconButton icon="close" label="Close the fork" onClick={onClose} />
          </>
        }
      />
      {result && <p className="figures text-xs text-ink-2">{comparison(result)}</p>}
    </div>
  );
}
