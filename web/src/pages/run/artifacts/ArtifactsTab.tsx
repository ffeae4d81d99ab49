/** Every file of the run by kind, with size and how many are kept; each can be downloaded, pinned or deleted. */

import { useQuery } from "@tanstack/react-query";
import type { Artifact, Run, RunDiskUsage } from "@/api/types";
import { artifactsQuery } from "@/entities/artifacts/queries";
import { byKind, type KeptByKind, type KindOf, sizeOf } from "@/entities/artifacts/retention";
import { titleOf } from "@/entities/artifacts/title";
import { runnersQuery } from "@/entities/runners/queries";
import { runUsageQuery } from "@/entities/space/queries";
import { formatBytes, formatCount } from "@/lib/format";
import type { TabProps } from "@/pages/run/tab";
import { CheckpointDialogs } from "@/panels/checkpoint-menu/CheckpointDialogs";
import { DashboardsPanel } from "@/panels/dashboards/DashboardsPanel";
import { FilmPanel } from "@/panels/film/FilmPanel";
import { pushDialog } from "@/panels/push-dialog/dialog";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { ArtifactRow } from "./ArtifactRow";
import { ExportPanel } from "./ExportPanel";

export default function ArtifactsTab({ run, onSearch }: TabProps) {
  const push = useOpenPush(run);
  const artifacts = useQuery(artifactsQuery(run.id));
  const usage = useQuery(runUsageQuery(run.id));
  if (artifacts.isPending) return <Loading lines={6} />;
  if (artifacts.isError)
    return <ErrorState error={artifacts.error} onRetry={() => void artifacts.refetch()} />;
  const kinds = byKind(artifacts.data, keptByKind(usage.data));
  return (
    <div className="flex flex-col gap-4">
      {run.kind === "train" && !run.source && <FilmPanel run={run} />}
      {run.kind === "train" && <ExportPanel run={run} onPush={push} />}
      {run.kind === "train" && <DashboardsPanel runId={run.id} />}
      {kinds.length === 0 ? (
        <EmptyState title="No files yet">
          Checkpoints, videos and reports are listed as they are created.
        </EmptyState>
      ) : (
        <>
          <p className="figures text-xs text-ink-2">
            {`${countOf(artifacts.data.length)}, ${formatBytes(sizeOf(artifacts.data))}`}
            {usage.data && `; the run takes ${formatBytes(usage.data.bytes)} on disk`}
          </p>
          {kinds.map((kind) => (
            <KindPanel
              key={kind.kind}
              run={run}
              kind={kind}
              onTested={({ id }) => onSearch({ tab: "evaluations", evaluation: id }, true)}
            />
          ))}
          <CheckpointDialogs />
        </>
      )}
    </div>
  );
}

/** Opens the dialog that pushes a checkpoint of this run; undefined where the lab cannot act with them. */
function useOpenPush({ config, name }: Run): ((checkpoint: Artifact) => void) | undefined {
  const runners = useQuery(runnersQuery);
  if (config.kind !== "train") return undefined;
  const runner = runners.data?.find((one) => one.id === config.runner);
  if (!runner?.capabilities.evaluate) return undefined;
  return (checkpoint) =>
    pushDialog.set({
      id: checkpoint.id,
      title: `${titleOf(checkpoint)} of ${name}`,
      algorithm: config.algorithm,
      envId: config.env_id ?? "",
    });
}

const countOf = (files: number): string => (files === 1 ? "1 file" : `${formatCount(files)} files`);

const keptByKind = (usage: RunDiskUsage | undefined): KeptByKind =>
  usage ? { video: usage.videos, checkpoint: usage.checkpoints, tensorboard: usage.tensorboard } : {};

interface KindPanelProps {
  run: Run;
  kind: KindOf;
  onTested: (evaluation: Run) => void;
}

function KindPanel({ run, kind, onTested }: KindPanelProps) {
  return (
    <Panel
      title={kind.title}
      flush
      aside={
        <span className="figures text-xs text-ink-3">
          {`${kind.items.length} · ${formatBytes(kind.size)}`}
          {kind.rule && ` · ${kind.rule}`}
        </span>
      }
    >
      <ul>
        {kind.items.map((artifact) => (
          <ArtifactRow key={artifact.id} run={run} artifact={artifact} onTested={onTested} />
        ))}
      </ul>
    </Panel>
  );
}
