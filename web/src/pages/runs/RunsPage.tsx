/** All runs: filter, sort, select to compare, archive and delete with undo. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useMemo } from "react";
import { ProblemError } from "@/api/problem";
import { runsQuery } from "@/entities/runs/queries";
import { useLiveStudies } from "@/entities/studies/live-studies";
import { useIsNarrow } from "@/lib/narrow";
import { useRemembered } from "@/lib/remembered";
import { ImportModel } from "@/panels/import-model/ImportModel";
import { PackDialog } from "@/panels/pack-dialog/PackDialog";
import { useSelection } from "@/panels/table/use-selection";
import { Button } from "@/ui/Button";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { columnsOf, FIRST_COLUMNS, narrowColumns } from "./columns";
import { DatasetNote } from "./DatasetNote";
import { RunsTable } from "./RunsTable";
import { RunsToolbar } from "./RunsToolbar";
import { Selected } from "./Selected";
import { StudyNote } from "./StudyNote";
import type { RunsSearch } from "./search";
import { useFoldedRows } from "./use-folded-rows";
import { useStartDropped } from "./use-start-dropped";

const route = getRouteApi("/runs");

export function RunsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { status, sort, tag, archived, kind, study, dataset } = search;
  const q = useDeferredValue(search.q);
  const [chosenColumns, setColumns] = useRemembered<readonly string[]>("runs.columns", FIRST_COLUMNS);
  const isNarrow = useIsNarrow();
  const columns = useMemo(() => {
    const wide = columnsOf(chosenColumns);
    return isNarrow ? narrowColumns(wide) : wide;
  }, [chosenColumns, isNarrow]);
  const isFiltered = Boolean(q || status || tag || archived || kind || study || dataset);
  const filter = { q, status: status && [status], sort, tag, archived, kind, study_id: study, dataset };
  // A filter is about runs: while there is one, the runs of studies are listed like all others.
  const runs = useInfiniteQuery(runsQuery(isFiltered ? filter : { sort, folded: true }));
  const listed = useMemo(() => runs.data?.pages.flatMap((page) => page.items) ?? [], [runs.data]);
  useLiveStudies();
  const { rows, runs: items, toggle } = useFoldedRows(listed, !isFiltered);
  const { selected, select, selectAll, chosen } = useSelection(items);
  const total = runs.data?.pages[0]?.total;
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = runs;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  const onSearch = useCallback(
    (change: RunsSearch, isStep = false) =>
      void navigate({ search: (s) => ({ ...s, ...change }), replace: !isStep, resetScroll: false }),
    [navigate],
  );
  const imported = useStartDropped();
  return (
    <div
      className="container-page flex h-[calc(100dvh-3.6rem)] min-h-96 flex-col gap-4 py-4 sm:py-6"
      {...imported.drop}
    >
      <PackDialog />
      <ImportModel />
      <RunsToolbar
        runs={items}
        search={search}
        onSearch={onSearch}
        total={total}
        columns={chosenColumns}
        onColumns={setColumns}
        onImport={imported.pick}
      />
      {runs.isPending && <Loading lines={10} />}
      {runs.isError && (
        <NotListed
          error={runs.error}
          onClear={() => onSearch({ ...NO_FILTER }, true)}
          onRetry={() => void runs.refetch()}
        />
      )}
      {study && <StudyNote studyId={study} onClear={() => onSearch({ study: undefined }, true)} />}
      {dataset && <DatasetNote sha256={dataset} onClear={() => onSearch({ dataset: undefined }, true)} />}
      {runs.isSuccess && listed.length === 0 && (
        <NoRuns isFiltered={isFiltered} onClear={() => onSearch({ ...NO_FILTER }, true)} />
      )}
      {listed.length > 0 && (
        <div className="relative min-h-0 flex-1">
          <RunsTable
            runs={items}
            rows={rows}
            chosen={chosen}
            hasMore={hasNextPage}
            total={(total ?? listed.length) + rows.length - listed.length}
            onToggleStudy={toggle}
            columns={columns}
            sort={sort}
            onSort={(next) => onSearch({ sort: next === "-created_at" ? undefined : next }, true)}
            selected={selected}
            onSelect={select}
            onSelectAll={selectAll}
            onEnd={onEnd}
          />
          <Selected
            chosen={chosen}
            isArchive={archived ?? false}
            onDone={() => selectAll(false)}
            onCompare={(list) =>
              void navigate({ to: "/compare", search: { runs: list.map((run) => run.id).join(",") } })
            }
          />
        </div>
      )}
    </div>
  );
}

const NO_FILTER = {
  q: undefined,
  status: undefined,
  tag: undefined,
  archived: undefined,
  kind: undefined,
  study: undefined,
  dataset: undefined,
};

const ClearFilter = ({ onClear }: { onClear: () => void }) => (
  <Button small onClick={onClear}>
    Clear the filter
  </Button>
);

interface NotListedProps {
  error: Error;
  onClear: () => void;
  onRetry: () => void;
}

/** A filter that the lab cannot read stays wrong when it is asked again. */
function NotListed({ error, onClear, onRetry }: NotListedProps) {
  const isFilter = error instanceof ProblemError && error.status === 422;
  if (!isFilter) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <ErrorState title="This filter cannot be read" error={error} action={<ClearFilter onClear={onClear} />} />
  );
}

function NoRuns({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return (
      <EmptyState title="No run matches" action={<ClearFilter onClear={onClear} />}>
        No run has everything that the filter asks for.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No runs yet"
      action={
        <Link
          to="/"
          className="inline-flex h-9 items-center rounded-sm bg-ink px-4 text-sm font-medium text-on-ink"
        >
          Train your first agent
        </Link>
      }
    >
      Every training run is listed here: those started on this page, on the command line or by your own
      scripts, and those adopted from folders of other tools.
    </EmptyState>
  );
}
