/** The head of one column; a click sorts by it. */
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { type ColumnHead, nextSort } from "./sort";

export interface HeadProps {
  column: ColumnHead;
  /** The order that the table has now. */
  sort: string;
  onSort: (sort: string | undefined) => void;
}

export function Head({ column, sort, onSort }: HeadProps) {
  const order = sort === column.sort ? "ascending" : sort === `-${column.sort}` ? "descending" : undefined;
  const isSorted = column.sort !== undefined && order !== undefined;
  return (
    <div
      role="columnheader"
      aria-sort={isSorted ? order : undefined}
      title={column.help}
      className={cx("min-w-0 px-2", column.isFigure && "text-right")}
    >
      {column.sort === undefined ? (
        <span className={column.title ? "truncate" : "sr-only"}>{column.title || column.id}</span>
      ) : (
        <button
          type="button"
          onClick={() => onSort(nextSort(column, sort))}
          className={cx(
            "label inline-flex h-7 max-w-full items-center gap-1 hover:text-ink",
            isSorted && "text-ink",
          )}
        >
          <span className="truncate">{column.title}</span>
          {isSorted && <Icon name={order === "ascending" ? "up" : "down"} size={11} />}
        </button>
      )}
    </div>
  );
}
