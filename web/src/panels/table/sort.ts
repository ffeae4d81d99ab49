/** The heads of a table that the lab sorts, and the order after a click on one. Pure. */

export interface ColumnHead {
  id: string;
  title: string;
  /** As a grid track. */
  width: string;
  /** The API's name for this order; absent when the column cannot be sorted. */
  sort?: string;
  isFigure?: boolean;
  /** What the column is, as the head's tooltip. */
  help?: string;
}

/** Descending, then ascending, then the default. */
export function nextSort(column: Pick<ColumnHead, "sort">, sort: string | undefined): string | undefined {
  if (sort === `-${column.sort}`) return column.sort;
  return sort === column.sort ? undefined : `-${column.sort}`;
}
