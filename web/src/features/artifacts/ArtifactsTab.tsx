/** Every file the run has made: what it is, how large, how many are kept; each can be downloaded. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Artifact } from "@/api/types";
import { FilmPanel } from "@/features/films/FilmPanel";
import type { TabProps } from "@/features/run/tabs";
import { formatBytes, formatCount, formatDate, formatNumber } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Icon } from "@/ui/icons";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { ExportPanel } from "./ExportPanel";
import { limitsQuery } from "./limits";
import { addressOf, artifactsQuery } from "./queries";
import { byKind, type KindOf, sizeOf } from "./retention";

export default function ArtifactsTab({ run }: TabProps) {
  const artifacts = useQuery(artifactsQuery(run.id));
  const limits = useQuery(limitsQuery);
  const { refetch } = artifacts;
  // biome-ignore lint/correctness/useExhaustiveDependencies: files are there when the run has another state
  useEffect(() => void refetch(), [run.status, refetch]);
  if (artifacts.isPending) return <Loading lines={6} />;
  if (artifacts.isError)
    return <ErrorState error={artifacts.error} onRetry={() => void artifacts.refetch()} />;
  const kinds = byKind(artifacts.data, limits.data ?? {});
  return (
    <div className="flex flex-col gap-4">
      {run.kind === "train" && <FilmPanel run={run} />}
      {run.kind === "train" && <ExportPanel run={run} />}
      {kinds.length === 0 ? (
        <EmptyState title="No files yet">
          Checkpoints, videos and reports are listed as they are made.
        </EmptyState>
      ) : (
        <>
          <p className="figures text-xs text-ink-2">
            {`${formatCount(artifacts.data.length)} files, ${formatBytes(sizeOf(artifacts.data))}`}
          </p>
          {kinds.map((kind) => (
            <KindPanel key={kind.kind} kind={kind} />
          ))}
        </>
      )}
    </div>
  );
}

function KindPanel({ kind }: { kind: KindOf }) {
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
          <ArtifactRow key={artifact.id} artifact={artifact} />
        ))}
      </ul>
    </Panel>
  );
}

function ArtifactRow({ artifact }: { artifact: Artifact }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2 text-sm last:border-0">
      <span className="min-w-0 flex-1 truncate max-sm:basis-full">
        {artifact.title || artifact.path}
        <span className="figures ml-3 text-xs text-ink-3 max-sm:hidden">{artifact.path}</span>
      </span>
      {artifact.role && <Badge>{artifact.role}</Badge>}
      {artifact.pinned && <Badge tone="strong">pinned</Badge>}
      {artifact.score != null && (
        <span className="figures text-xs text-ink-2">score {formatNumber(artifact.score, 4)}</span>
      )}
      <span className="figures text-xs text-ink-2">{formatDate(artifact.created_at)}</span>
      <span className="figures w-20 text-right text-xs">{formatBytes(artifact.size)}</span>
      <a
        href={addressOf(artifact)}
        download
        aria-label={`Download ${artifact.title || artifact.path}`}
        className="grid size-8 place-items-center rounded-sm text-ink-2 hover:bg-sunken hover:text-ink"
      >
        <Icon name="download" size={14} />
      </a>
    </li>
  );
}
