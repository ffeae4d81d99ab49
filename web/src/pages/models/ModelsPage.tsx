/** All checkpoints of all runs, and those that have a name: filter, sort, name, compare two. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useDeferredValue, useMemo } from "react";
import { useLiveCheckpoints } from "@/entities/checkpoints/live-checkpoints";
import {
  type CheckpointFilter,
  checkpointChoicesQuery,
  checkpointsQuery,
} from "@/entities/checkpoints/queries";
import { modelsQuery } from "@/entities/models/queries";
import { chunk } from "@/lib/chunks";
import { useIsNarrow } from "@/lib/narrow";
import { CheckpointDialogs } from "@/panels/checkpoint-menu/CheckpointDialogs";
import { modelDrop } from "@/panels/import-model/dialog";
import { ImportModel } from "@/panels/import-model/ImportModel";
import { PullDialogs } from "@/panels/pull-dialog/PullDialogs";
import { useSelection } from "@/panels/table/use-selection";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Arriving, EmptyState, ErrorState, Loading } from "@/ui/states";
import { CheckpointsTable } from "./CheckpointsTable";
import { COLUMNS, narrowColumns } from "./columns";
import { ModelsToolbar } from "./ModelsToolbar";
import { NoModels } from "./NoModels";
import { SelectedPair } from "./SelectedPair";
import type { ModelsSearch } from "./search";

const route = getRouteApi("/models");
const NamedModels = lazy(chunk(() => import("./named/NamedModels")));
const InterruptedTransfers = lazy(chunk(() => import("./InterruptedTransfers")));
const NO_CHOICES = { environments: [], algorithms: [], tags: [] };

export function ModelsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const q = useDeferredValue(search.q);
  const filter = { q, env_id: search.env, algorithm: search.algorithm, tag: search.tag, named: search.named };
  const isFiltered = Object.values(filter).some(Boolean);
  const checkpoints = useInfiniteQuery(checkpointsQuery({ ...filter, sort: search.sort }));
  const models = useQuery(modelsQuery);
  const choices = useQuery(checkpointChoicesQuery).data ?? NO_CHOICES;
  useLiveCheckpoints((checkpoints.data?.pages.length ?? 0) > 2);
  const onSearch = useCallback(
    (change: ModelsSearch, isStep = false) =>
      void navigate({ search: (s) => ({ ...s, ...change }), replace: !isStep, resetScroll: false }),
    [navigate],
  );
  const isNamed = search.view === "named";
  return (
    <div
      className={cx(
        "container-page flex flex-col gap-4 py-4 sm:py-6",
        // The table scrolls within itself, the cards with the page.
        !isNamed && "h-[calc(100dvh-3.6rem)] min-h-96",
      )}
      {...modelDrop}
    >
      <CheckpointDialogs />
      <ImportModel />
      <PullDialogs />
      <Suspense>
        <InterruptedTransfers />
      </Suspense>
      <ModelsToolbar
        search={search}
        onSearch={onSearch}
        choices={choices}
        checkpoints={checkpoints.data?.pages[0]?.total}
        models={models.data?.length}
      />
      {isNamed ? (
        <Suspense fallback={<Arriving />}>
          <NamedModels />
        </Suspense>
      ) : (
        <Checkpoints
          checkpoints={checkpoints}
          isFiltered={isFiltered}
          sort={search.sort}
          onSearch={onSearch}
          onCompare={(a, b) => void navigate({ to: "/models/compare", search: { a, b } })}
        />
      )}
    </div>
  );
}

const useList = (filter: CheckpointFilter) => useInfiniteQuery(checkpointsQuery(filter));

interface CheckpointsProps {
  checkpoints: ReturnType<typeof useList>;
  isFiltered: boolean;
  sort: string | undefined;
  onSearch: (change: ModelsSearch, isStep?: boolean) => void;
  onCompare: (a: string, b: string) => void;
}

function Checkpoints({ checkpoints, isFiltered, sort, onSearch, onCompare }: CheckpointsProps) {
  const isNarrow = useIsNarrow();
  const columns = useMemo(() => (isNarrow ? narrowColumns(COLUMNS) : COLUMNS), [isNarrow]);
  const items = useMemo(
    () => checkpoints.data?.pages.flatMap((page) => page.items) ?? [],
    [checkpoints.data],
  );
  const { selected, select, selectAll, chosen } = useSelection(items);
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = checkpoints;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  if (checkpoints.isPending) return <Loading lines={10} />;
  if (checkpoints.isError)
    return <ErrorState error={checkpoints.error} onRetry={() => void checkpoints.refetch()} />;
  if (items.length === 0)
    return isFiltered ? <NoMatch onClear={() => onSearch({ ...NO_FILTER }, true)} /> : <NoModels />;
  return (
    <div className="relative min-h-0 flex-1">
      <CheckpointsTable
        items={items}
        total={checkpoints.data.pages[0]?.total ?? items.length}
        hasMore={hasNextPage}
        columns={columns}
        sort={sort}
        onSort={(next) => onSearch({ sort: next === "-created_at" ? undefined : next }, true)}
        selected={selected}
        onSelect={select}
        onEnd={onEnd}
      />
      <SelectedPair
        chosen={chosen}
        onDone={() => selectAll(false)}
        onCompare={(a, b) => onCompare(a.id, b.id)}
      />
    </div>
  );
}

const NO_FILTER = { q: undefined, env: undefined, algorithm: undefined, tag: undefined, named: undefined };

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      title="No checkpoint matches"
      action={
        <Button small onClick={onClear}>
          Clear the filter
        </Button>
      }
    >
      No checkpoint has everything that the filter asks for.
    </EmptyState>
  );
}
