/** The table of runs: thousands of rows, of which only those in view exist. It draws; the page asks. */
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { Run } from "@/api/types";
import { Sparkline } from "@/charts/Sparkline";
import { useRunColour } from "@/lib/colour";
import { formatCount, formatDate, formatDuration, formatNumber } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { StatusBadge } from "./StatusBadge";

export interface RunsTableProps {
  runs: readonly Run[];
  total: number;
  selected: ReadonlySet<string>;
  onSelect: (runId: string, isSelected: boolean) => void;
  /** The last rows are in view and there are more. */
  onEnd: () => void;
}

const ROW_PX = 44;
const COLUMNS = "grid-cols-[2.5rem_7.5rem_minmax(10rem,1fr)_10rem_6.5rem_5rem_5rem_7rem_6rem_7rem_8rem]";
const HEADS = [
  "",
  "Status",
  "Name",
  "Environment",
  "Algorithm",
  "Best",
  "Last",
  "Course",
  "Steps",
  "Duration",
  "Created",
];

export function RunsTable({ runs, total, selected, onSelect, onEnd }: RunsTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey: (i) => runs[i]!.id,
  });
  const lastShown = rows.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (runs.length < total && lastShown >= runs.length - 20) onEnd();
  }, [lastShown, runs.length, total, onEnd]);

  return (
    <section
      ref={scroller}
      tabIndex={0}
      aria-label="Runs"
      className="h-full overflow-auto rounded-md border bg-surface"
    >
      <div role="table" aria-label="Runs" aria-rowcount={total + 1} className="min-w-5xl">
        <div
          role="row"
          aria-rowindex={1}
          className={`label sticky top-0 z-10 grid h-9 items-center border-b bg-surface px-2 text-ink-3 ${COLUMNS}`}
        >
          {HEADS.map((head, i) => (
            <div role="columnheader" key={i} className="truncate px-2">
              {head || <span className="sr-only">Selected</span>}
            </div>
          ))}
        </div>
        <div role="rowgroup" className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => (
            <div
              key={row.key}
              role="row"
              aria-rowindex={row.index + 2}
              className={`absolute inset-x-0 grid items-center border-b px-2 text-sm hover:bg-sunken ${COLUMNS}`}
              style={{ height: ROW_PX, transform: `translateY(${row.start}px)` }}
            >
              <RunCells
                run={runs[row.index]!}
                isSelected={selected.has(runs[row.index]!.id)}
                onSelect={onSelect}
              />
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

interface CellsProps {
  run: Run;
  isSelected: boolean;
  onSelect: RunsTableProps["onSelect"];
}

function RunCells({ run, isSelected, onSelect }: CellsProps) {
  const runColour = useRunColour();
  const config = run.config as { env_id?: string; algorithm?: string };
  const cell = "min-w-0 truncate px-2";
  const figure = `${cell} figures text-xs`;
  return (
    <>
      <div role="cell" className={cell}>
        <input
          type="checkbox"
          aria-label={`Select ${run.name}`}
          checked={isSelected}
          onChange={(event) => onSelect(run.id, event.target.checked)}
          className="block size-4 accent-ink"
        />
      </div>
      <div role="cell" className={cell}>
        <StatusBadge status={run.status} />
      </div>
      <div role="cell" className={`${cell} flex items-center gap-2`}>
        <span
          aria-hidden="true"
          className="size-2 shrink-0 rounded-full"
          style={{ background: runColour(run.id) }}
        />
        <Link to="/runs/$runId" params={{ runId: run.id }} className="truncate font-medium hover:underline">
          {run.name}
        </Link>
        {run.tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </div>
      <div role="cell" className={cell}>
        {config.env_id}
      </div>
      <div role="cell" className={`${cell} uppercase`}>
        {config.algorithm}
      </div>
      <div role="cell" className={figure}>
        {formatNumber(run.summary.best_mean_reward)}
      </div>
      <div role="cell" className={figure}>
        {formatNumber(run.summary.mean_reward)}
      </div>
      <div role="cell" className={cell}>
        <Sparkline values={run.summary.sparkline} width={92} height={22} colour={runColour(run.id)} />
      </div>
      <div role="cell" className={figure}>
        {formatCount(run.progress.timestep)}
      </div>
      <div role="cell" className={figure}>
        {formatDuration(run.progress.elapsed_s)}
      </div>
      <div role="cell" className={`${cell} text-xs text-ink-2`}>
        {formatDate(run.created_at)}
      </div>
    </>
  );
}
