/** The table of checkpoints: thousands of rows, of which only the visible ones are rendered. */
import { useNavigate } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, type MouseEvent as ReactMouseEvent, useEffect, useRef } from "react";
import type { CheckpointItem } from "@/api/types";
import { checkpointName } from "@/entities/checkpoints/words";
import { Head } from "@/panels/table/Head";
import { copyText } from "@/ui/clipboard";
import { cx } from "@/ui/cx";
import { CheckpointRowMenu } from "./CheckpointRowMenu";
import { type CheckpointColumn, DEFAULT_SORT } from "./columns";

export interface CheckpointsTableProps {
  items: readonly CheckpointItem[];
  /** Rows in all, whether loaded or not. */
  total: number;
  hasMore: boolean;
  columns: readonly CheckpointColumn[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  selected: ReadonlySet<string>;
  /** `isRange`: everything from the last selected row to this one. */
  onSelect: (index: number, isSelected: boolean, isRange: boolean) => void;
  /** Called when the last rows are visible and there are more. */
  onEnd: () => void;
}

const ROW_PX = 48;
const ROW = "group absolute inset-x-0 grid items-center border-b px-2 text-sm hover:bg-sunken";

export function CheckpointsTable(props: CheckpointsTableProps) {
  const { items, total, columns, selected, hasMore, sort, onSort, onSelect, onEnd } = props;
  const scroller = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    getItemKey: (i) => items[i]!.id,
  });
  const lastShown = rows.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastShown >= items.length - 30) onEnd();
  }, [lastShown, items.length, hasMore, onEnd]);
  const tracks = {
    gridTemplateColumns: ["2.5rem", ...columns.map((column) => column.width), "2.5rem"].join(" "),
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a row's link or button is a click as well
    <section
      ref={scroller}
      tabIndex={0}
      aria-label="Checkpoints"
      data-scroll-restoration-id="checkpoints"
      onClick={useRowClicks()}
      className="h-full overflow-auto rounded-md border bg-surface"
    >
      <div role="table" aria-label="Checkpoints" aria-rowcount={total + 1} className="min-w-max">
        <div
          role="row"
          aria-rowindex={1}
          className="label sticky top-0 z-10 grid h-9 items-center border-b bg-surface px-2 text-ink-3"
          style={tracks}
        >
          <div role="columnheader">
            <span className="sr-only">Selected</span>
          </div>
          {columns.map((column) => (
            <Head key={column.id} column={column} sort={sort ?? DEFAULT_SORT} onSort={onSort} />
          ))}
          <div role="columnheader" className="sticky right-0 h-full bg-surface">
            <span className="sr-only">Actions</span>
          </div>
        </div>
        <div role="rowgroup" className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const item = items[row.index]!;
            const isSelected = selected.has(item.id);
            return (
              <div
                key={row.key}
                role="row"
                aria-rowindex={row.index + 2}
                style={{ ...tracks, height: ROW_PX, transform: `translateY(${row.start}px)` }}
                className={cx(ROW, isSelected && "bg-select")}
              >
                <Cells
                  item={item}
                  index={row.index}
                  columns={columns}
                  isSelected={isSelected}
                  onSelect={onSelect}
                />
                <div
                  role="cell"
                  className={cx(
                    "sticky right-0 group-hover:bg-sunken",
                    isSelected ? "bg-select" : "bg-surface",
                  )}
                >
                  <CheckpointRowMenu item={item} />
                </div>
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}

/** Handles clicks on the rows' plain links and hashes; clicks for a new tab are left to the browser. */
function useRowClicks(): (event: ReactMouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const { checkpoint, hash } =
      (event.target as HTMLElement).closest<HTMLElement>("a[data-checkpoint], button[data-hash]")?.dataset ??
      {};
    if (hash) void copyText(hash, "Hash copied.");
    if (!checkpoint || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate({ to: "/models/$checkpointId", params: { checkpointId: checkpoint } });
  };
}

interface CellsProps extends Pick<CheckpointsTableProps, "columns" | "onSelect"> {
  item: CheckpointItem;
  index: number;
  isSelected: boolean;
}

const Cells = memo(function Cells({ item, index, columns, isSelected, onSelect }: CellsProps) {
  return (
    <>
      <div role="cell" className="px-2">
        <input
          type="checkbox"
          aria-label={`Select ${checkpointName(item)}`}
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
          {column.cell(item)}
        </div>
      ))}
    </>
  );
});
