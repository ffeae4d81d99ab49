/** A duel: how often each run won on the same seeds, by how much, and the videos side by side. */
import { useQuery } from "@tanstack/react-query";
import type { DuelSummary, Run } from "@/api/types";
import { addressOf, artifactsQuery, downloadOf } from "@/entities/artifacts/queries";
import { duelOf } from "@/entities/results/results";
import { useRun } from "@/entities/runs/live-runs";
import { RunProgress } from "@/entities/runs/RunProgress";
import { RunReason } from "@/entities/runs/RunReason";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { isLive } from "@/entities/runs/status";
import { VideoPlayer } from "@/panels/video/VideoPlayer";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";
import { Differences, Sides } from "./DuelTables";

export function DuelView({ duelId }: { duelId: string }) {
  const duel = useRun(duelId);
  if (duel.isPending) return <Loading lines={4} />;
  if (duel.isError) return <ErrorState error={duel.error} onRetry={() => void duel.refetch()} />;
  const result = duelOf(duel.data.summary.result);
  if (result) return <DuelResultView duel={duel.data} result={result} />;
  return (
    <div className="flex flex-col gap-3">
      <StatusBadge status={duel.data.status} />
      {isLive(duel.data) && <RunProgress run={duel.data} />}
      <RunReason run={duel.data} />
    </div>
  );
}

function DuelResultView({ duel, result }: { duel: Run; result: DuelSummary }) {
  const files = useQuery(artifactsQuery(duel.id));
  const video = files.data?.find((file) => file.media_type.startsWith("video/"));
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <Panel
          title="Result"
          flush
          aside={
            <span className="figures text-xs text-ink-3">
              {`${result.seeds.length} seeds of ${result.env_id}, the same for all`}
            </span>
          }
        >
          <Sides result={result} />
        </Panel>
        <Panel title="Paired difference" flush>
          <Differences result={result} />
        </Panel>
      </div>
      {video && (
        <Panel title="Side by side" flush>
          <VideoPlayer
            src={addressOf(video)}
            download={downloadOf(video)}
            label="The contestants side by side"
          />
        </Panel>
      )}
    </div>
  );
}
