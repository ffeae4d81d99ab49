/** Which rows are selected: one by one, or a range with Shift. New rows never change the selection. */
import { useCallback, useRef, useState } from "react";

export function useSelection<Row extends { id: string }>(rows: readonly Row[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // By id, because rows move when others are added above.
  const anchor = useRef<string | null>(null);
  const latest = useRef(rows);
  latest.current = rows;
  const select = useCallback((index: number, isSelected: boolean, isRange: boolean) => {
    const ids = latest.current.map((row) => row.id);
    const from = isRange && anchor.current !== null ? ids.indexOf(anchor.current) : index;
    anchor.current = ids[index] ?? null;
    setSelected((before) => changed(before, rangeBetween(ids, from, index), isSelected));
  }, []);
  const selectAll = useCallback((isSelected: boolean) => {
    setSelected(isSelected ? new Set(latest.current.map((row) => row.id)) : new Set());
  }, []);
  return { selected, select, selectAll, chosen: rows.filter((row) => selected.has(row.id)) };
}

/** The ids between two rows, whichever comes first. */
export function rangeBetween(ids: readonly string[], from: number, to: number): string[] {
  const start = from < 0 ? to : Math.min(from, to);
  return ids.slice(start, Math.max(from, to) + 1);
}

function changed(before: ReadonlySet<string>, ids: readonly string[], isSelected: boolean): Set<string> {
  const after = new Set(before);
  for (const id of ids) {
    if (isSelected) after.add(id);
    else after.delete(id);
  }
  return after;
}
