/** The columns of the table of runs: heads, widths, cells, sorting and the column menu are built from this list. */
import type { ReactNode } from "react";
import type { Run } from "@/api/types";
import { Sparkline } from "@/charts/Sparkline";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { isLive } from "@/entities/runs/status";
import { trainConfigOf, workDone } from "@/entities/runs/words";
import { formatCount, formatDate, formatDuration, formatNumber, NOTHING } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Progress } from "@/ui/Progress";

export interface Column {
  id: string;
  title: string;
  /** As a grid track. */
  width: string;
  /** The API's name for this order; absent when the column cannot be sorted. */
  sort?: string;
  isFigure?: boolean;
  /** Cannot be hidden. */
  isFixed?: boolean;
  cell: (run: Run, colour: string) => ReactNode;
}

export const COLUMNS: readonly Column[] = [
  {
    id: "status",
    title: "Status",
    width: "7.5rem",
    sort: "status",
    cell: (run) => <StatusBadge status={run.status} />,
  },
  {
    id: "name",
    title: "Name",
    width: "minmax(13rem,1fr)",
    sort: "name",
    isFixed: true,
    cell: (run, colour) => <NameCell run={run} colour={colour} />,
  },
  {
    id: "environment",
    title: "Environment",
    width: "10rem",
    sort: "env_id",
    cell: (run) => run.env_id || NOTHING,
  },
  {
    id: "algorithm",
    title: "Algorithm",
    width: "6.5rem",
    sort: "algorithm",
    cell: (run) => run.algorithm?.toUpperCase() || NOTHING,
  },
  { id: "runner", title: "Runner", width: "5.5rem", cell: (run) => trainConfigOf(run)?.runner },
  {
    id: "best",
    title: "Best",
    width: "5rem",
    sort: "best_reward",
    isFigure: true,
    cell: (run) => formatNumber(run.summary.best_reward),
  },
  {
    id: "mean",
    title: "Mean",
    width: "5rem",
    sort: "mean_reward",
    isFigure: true,
    cell: (run) => formatNumber(run.summary.mean_reward),
  },
  {
    id: "last",
    title: "Last",
    width: "5rem",
    sort: "last_reward",
    isFigure: true,
    cell: (run) => formatNumber(run.summary.last_reward),
  },
  {
    id: "course",
    title: "Curve",
    width: "7rem",
    cell: (run, colour) => (
      <Sparkline values={run.summary.sparkline} width={92} height={22} colour={colour} />
    ),
  },
  {
    id: "steps",
    title: "Steps",
    width: "6rem",
    sort: "timestep",
    isFigure: true,
    cell: (run) => workDone(run),
  },
  {
    id: "episodes",
    title: "Episodes",
    width: "6rem",
    isFigure: true,
    cell: (run) => formatCount(run.progress.episodes),
  },
  {
    id: "duration",
    title: "Duration",
    width: "7rem",
    sort: "duration",
    isFigure: true,
    cell: (run) => formatDuration(run.progress.elapsed_s),
  },
  { id: "tags", title: "Tags", width: "8rem", cell: (run) => <Tags run={run} /> },
  {
    id: "created",
    title: "Created",
    width: "8rem",
    sort: "created_at",
    cell: (run) => <span className="text-xs text-ink-2">{formatDate(run.created_at)}</span>,
  },
];

/** The columns shown by default. */
export const FIRST_COLUMNS: readonly string[] = COLUMNS.map((column) => column.id).filter(
  (id) => !["runner", "episodes", "mean"].includes(id),
);

export function columnsOf(chosen: readonly string[]): Column[] {
  return COLUMNS.filter((column) => column.isFixed || chosen.includes(column.id));
}

/** The order after a click on a column head: descending, then ascending, then the default. */
export function nextSort(column: Column, sort: string | undefined): string | undefined {
  if (sort === `-${column.sort}`) return column.sort;
  return sort === column.sort ? undefined : `-${column.sort}`;
}

function NameCell({ run, colour }: { run: Run; colour: string }) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      <span aria-hidden="true" className="size-2 shrink-0 rounded-full" style={{ background: colour }} />
      <div className="min-w-0 flex-1">
        {/* A plain link: the router's own is slow enough to drop frames while scrolling. The table handles clicks on it. */}
        <a href={`/runs/${run.id}`} data-run={run.id} className="block truncate font-medium hover:underline">
          {run.name}
        </a>
        {isLive(run) && run.status !== "queued" && (
          <Progress
            label={`Progress of ${run.name}`}
            fraction={run.progress.total_timesteps > 0 ? run.progress.fraction : null}
          />
        )}
      </div>
    </div>
  );
}

function Tags({ run }: { run: Run }) {
  return (
    <span className="flex gap-1 overflow-hidden">
      {run.tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  );
}
