/** The rows of the table: a run, or a study that unfolds to its runs. */
import { useQueries } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { Run } from "@/api/types";
import { studyRunsQuery } from "@/entities/runs/queries";

export type TableRow =
  | { kind: "run"; key: string; run: Run; index: number; isInside: boolean }
  | { kind: "study"; key: string; studyId: string; isOpen: boolean };

/** `runs` are those of the rows, in their order: what can be selected. */
export function useFoldedRows(listed: readonly Run[], isFolded: boolean) {
  const [open, setOpen] = useState<readonly string[]>([]);
  const members = useQueries({
    queries: open.map((studyId) => ({ ...studyRunsQuery(studyId), enabled: isFolded })),
    combine: (found) => found.map(({ data }) => data?.pages.flatMap((page) => page.items) ?? []),
  });
  const toggle = useCallback(
    (studyId: string) =>
      setOpen((before) =>
        before.includes(studyId) ? before.filter((one) => one !== studyId) : [...before, studyId],
      ),
    [],
  );
  const rows = useMemo(
    () => rowsOf(listed, isFolded, new Map(open.map((studyId, i) => [studyId, members[i] ?? []]))),
    [listed, isFolded, open, members],
  );
  const runs = useMemo(() => rows.flatMap((row) => (row.kind === "run" ? [row.run] : [])), [rows]);
  return { rows, runs, toggle };
}

/** In a folded list each study is one row; `open` has the runs of those that are unfolded. */
export function rowsOf(
  listed: readonly Run[],
  isFolded: boolean,
  open: ReadonlyMap<string, readonly Run[]>,
): TableRow[] {
  const rows: TableRow[] = [];
  let index = 0;
  const add = (run: Run, isInside: boolean) =>
    rows.push({ kind: "run", key: run.id, run, index: index++, isInside });
  for (const run of listed) {
    const studyId = run.study_id;
    if (!isFolded || !studyId) add(run, false);
    else {
      const members = open.get(studyId);
      rows.push({ kind: "study", key: `study ${studyId}`, studyId, isOpen: members !== undefined });
      for (const member of members ?? []) add(member, true);
    }
  }
  return rows;
}
