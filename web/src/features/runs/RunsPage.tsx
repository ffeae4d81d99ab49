/** All runs: filtered by typing, selected to compare, archived and deleted with a way back. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/Button";
import { SearchField } from "@/ui/SearchField";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { useLiveRuns } from "./live-runs";
import { runsQuery } from "./queries";
import { RunsTable } from "./RunsTable";
import { useRunActions } from "./use-run-actions";

const route = getRouteApi("/runs");

export function RunsPage() {
  const { q = "", status, sort, tag, archived } = route.useSearch();
  const navigate = route.useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const actions = useRunActions();
  const runs = useInfiniteQuery(
    runsQuery({ q: useDeferredValue(q) || undefined, status: status && [status], sort, tag, archived }),
  );
  useLiveRuns();
  const items = runs.data?.pages.flatMap((page) => page.items) ?? [];
  const total = runs.data?.pages[0]?.total ?? 0;
  const chosen = items.filter((run) => selected.has(run.id));

  const act = (action: (chosenRuns: typeof chosen) => void) => () => {
    action(chosen);
    setSelected(new Set());
  };
  const select = (runId: string, isSelected: boolean) =>
    setSelected((before) => {
      const after = new Set(before);
      if (isSelected) after.add(runId);
      else after.delete(runId);
      return after;
    });
  const none = chosen.length === 0 ? "Select runs first." : null;

  return (
    <div className="flex h-[calc(100dvh-3.6rem)] min-h-96 flex-col gap-4 p-4 sm:p-6">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="label text-base">Runs</h1>
        <span className="figures text-xs text-ink-3">{formatCount(total)}</span>
        <div className="min-w-48 flex-1 sm:max-w-80">
          <SearchField
            label="Filter by name, environment, tag"
            value={q}
            onChange={(text) =>
              void navigate({ search: (s) => ({ ...s, q: text || undefined }), replace: true })
            }
          />
        </div>
        <Button
          small
          kind="quiet"
          aria-pressed={archived === true}
          onClick={() => void navigate({ search: (s) => ({ ...s, archived: archived ? undefined : true }) })}
        >
          {archived ? "Show current" : "Show archived"}
        </Button>
        <div className="ml-auto flex gap-2">
          <Button
            small
            icon="chart"
            reason={chosen.length < 2 ? "Select two or more runs to compare." : null}
            onClick={() =>
              void navigate({ to: "/compare", search: { runs: chosen.map((run) => run.id).join(",") } })
            }
          >
            Compare
          </Button>
          <Button small reason={none} onClick={act((list) => actions.archive(list, !archived))}>
            {archived ? "Unarchive" : "Archive"}
          </Button>
          <Button small kind="danger" reason={none} onClick={act(actions.remove)}>
            Delete
          </Button>
        </div>
      </div>
      {runs.isPending && <Loading lines={10} />}
      {runs.isError && <ErrorState error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.isSuccess && items.length === 0 && (
        <NoRuns isFiltered={Boolean(q || status || tag || archived)} />
      )}
      {items.length > 0 && (
        <div className="min-h-0 flex-1">
          <RunsTable
            runs={items}
            total={total}
            selected={selected}
            onSelect={select}
            onEnd={() => void runs.fetchNextPage()}
          />
        </div>
      )}
    </div>
  );
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No run matches">Change or clear the filter.</EmptyState>;
  return (
    <EmptyState
      title="No runs yet"
      action={
        <Link to="/" className="label inline-flex h-9 items-center rounded-sm bg-ink px-4 text-on-ink">
          Train your first agent
        </Link>
      }
    >
      Every training run is listed here, from the page and from the command line.
    </EmptyState>
  );
}
