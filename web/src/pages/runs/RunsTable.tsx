/** The table of runs: thousands of rows, of which only the visible ones are rendered. */
import { useNavigate } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useLayoutEffect, useRef } from "react";
import type { Run } from "@/api/types";
import { useComparedLooks, useRunColour } from "@/lib/colour";
import { Head } from "@/panels/table/Head";
import { cx } from "@/ui/cx";
import type { Column } from "./column";
import { RowMenu } from "./RowMenu";
import { StudyCells } from "./StudyCells";
import type { TableRow } from "./use-folded-rows";

export interface RunsTableProps {
  /** Those of the rows, which can be selected. */
  runs: readonly Run[];
  rows: readonly TableRow[];
  /** The selected runs: compared in this order, each has the colour that it will have there. */
  chosen: readonly Run[];
  /** Rows in all, whether loaded or not. */
  total: number;
  hasMore: boolean;
  onToggleStudy: (studyId: string) => void;
  columns: readonly Column[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  selected: ReadonlySet<string>;
  /** `isRange`: everything from the last selected row to this one. */
  onSelect: (index: number, isSelected: boolean, isRange: boolean) => void;
  onSelectAll: (isSelected: boolean) => void;
  /** Called when the last rows are visible and there are more. */
  onEnd: () => void;
}

const ROW_PX = 48;
const ROW = "group absolute inset-x-0 grid items-center border-b px-2 text-sm hover:bg-sunken";

export function RunsTable(props: RunsTableProps) {
  const { rows: shown, total, columns, selected, chosen, hasMore, onSelect, onEnd, onToggleStudy } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const runColour = useRunColour();
  const look = useComparedLooks(chosen.map((run) => run.id));
  const colourOf = (runId: string) =>
    chosen.length > 1 && selected.has(runId) ? look(runId).colour : runColour(runId);
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    getItemKey: (i) => shown[i]!.key,
  });
  useSteadyScroll(scroller, shown[0]?.key, shown);
  const lastShown = rows.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastShown >= shown.length - 30) onEnd();
  }, [lastShown, shown.length, hasMore, onEnd]);
  const tracks = {
    gridTemplateColumns: ["2.5rem", ...columns.map((column) => column.width), "2.5rem"].join(" "),
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a row's link is a click as well
    <section
      ref={scroller}
      tabIndex={0}
      aria-label="Runs"
      data-scroll-restoration-id="runs"
      onClick={useFollowedLinks()}
      className="h-full overflow-auto rounded-md border bg-surface"
    >
      <div role="table" aria-label="Runs" aria-rowcount={total + 1} className="min-w-max">
        <Heads {...props} tracks={tracks} />
        <div role="rowgroup" className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const item = shown[row.index]!;
            const frame = {
              role: "row",
              "aria-rowindex": row.index + 2,
              style: { ...tracks, height: ROW_PX, transform: `translateY(${row.start}px)` },
            } as const;
            if (item.kind === "study")
              return (
                <div key={row.key} {...frame} className={ROW}>
                  <StudyCells
                    studyId={item.studyId}
                    isOpen={item.isOpen}
                    columns={columns}
                    onToggle={onToggleStudy}
                  />
                  <div role="cell" />
                </div>
              );
            const { run } = item;
            return (
              <div
                key={row.key}
                {...frame}
                className={cx(ROW, item.isInside && "bg-bg", selected.has(run.id) && "bg-select")}
              >
                <RunCells
                  run={run}
                  index={item.index}
                  colour={colourOf(run.id)}
                  columns={columns}
                  isSelected={selected.has(run.id)}
                  onSelect={onSelect}
                />
                <div
                  role="cell"
                  className={cx(
                    "sticky right-0 group-hover:bg-sunken",
                    selected.has(run.id) ? "bg-select" : item.isInside ? "bg-bg" : "bg-surface",
                  )}
                >
                  <RowMenu run={run} />
                </div>
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}

/** Handles clicks on the rows' plain links in the page; clicks for a new tab are left to the browser. */
function useFollowedLinks(): (event: React.MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const { run: runId, study: studyId } =
      (event.target as HTMLElement).closest<HTMLElement>("a[data-run], a[data-study]")?.dataset ?? {};
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (runId || studyId) event.preventDefault();
    if (runId) void navigate({ to: "/runs/$runId", params: { runId } });
    else if (studyId) void navigate({ to: "/studies/$studyId", params: { studyId } });
  };
}

/** Keeps the scroll position when rows are added above. */
function useSteadyScroll(
  scroller: React.RefObject<HTMLDivElement | null>,
  first: string | undefined,
  rows: readonly TableRow[],
): void {
  const before = useRef(first);
  useLayoutEffect(() => {
    const element = scroller.current;
    const moved = before.current === undefined ? 0 : rows.findIndex(({ key }) => key === before.current);
    before.current = first;
    if (element && moved > 0 && moved <= 50 && element.scrollTop > ROW_PX)
      element.scrollTop += moved * ROW_PX;
  }, [first, rows, scroller]);
}

function Heads({
  columns,
  sort,
  onSort,
  runs,
  selected,
  onSelectAll,
  tracks,
}: RunsTableProps & { tracks: React.CSSProperties }) {
  const isAll = runs.length > 0 && runs.every((run) => selected.has(run.id));
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="label sticky top-0 z-10 grid h-9 items-center border-b bg-surface px-2 text-ink-3"
      style={tracks}
    >
      <div role="columnheader" className="px-2">
        <input
          type="checkbox"
          aria-label="Select all loaded runs"
          checked={isAll}
          onChange={(event) => onSelectAll(event.target.checked)}
          className="block size-4 accent-ink"
        />
      </div>
      {columns.map((column) => (
        <Head key={column.id} column={column} sort={sort ?? "-created_at"} onSort={onSort} />
      ))}
      <div role="columnheader" className="sticky right-0 h-full bg-surface">
        <span className="sr-only">Actions</span>
      </div>
    </div>
  );
}

interface CellsProps extends Pick<RunsTableProps, "columns" | "onSelect"> {
  run: Run;
  index: number;
  colour: string;
  isSelected: boolean;
}

const RunCells = memo(function RunCells({ run, index, colour, columns, isSelected, onSelect }: CellsProps) {
  return (
    <>
      <div role="cell" className="px-2">
        <input
          type="checkbox"
          aria-label={`Select ${run.name}`}
          checked={isSelected}
          onChange={(event) =>
            onSelect(index, event.target.checked, (event.nativeEvent as MouseEvent).shiftKey === true)
          }
          className="block size-4 accent-ink"
        />
      </div>
      {columns.map((column) => (
        <div
          key={column.id}
          role="cell"
          className={cx("min-w-0 truncate px-2", column.isFigure && "figures text-right text-xs")}
        >
          {column.cell(run, colour)}
        </div>
      ))}
    </>
  );
});
