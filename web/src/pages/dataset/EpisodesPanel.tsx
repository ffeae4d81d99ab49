/** The episodes of a version, and the replay of the chosen one. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import type { DatasetVersion } from "@/api/types";
import { rangeText } from "@/charts/histograms/HistogramBrush";
import { type DatasetEpisodeFilter, datasetEpisodesQuery } from "@/entities/datasets/queries";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { EpisodeTable } from "./EpisodeTable";
import { EpisodeWatch } from "./EpisodeWatch";
import type { DatasetSearch } from "./search";

export interface EpisodesPanelProps {
  version: DatasetVersion;
  search: DatasetSearch;
  onSearch: (change: DatasetSearch, isStep?: boolean) => void;
}

const ORDERS: { value: NonNullable<DatasetSearch["sort"]> | ""; title: string }[] = [
  { value: "", title: "In their order" },
  { value: "-return", title: "Best return first" },
  { value: "return", title: "Worst return first" },
  { value: "-length", title: "Longest first" },
  { value: "length", title: "Shortest first" },
];
const NO_FILTER = {
  return_min: undefined,
  return_max: undefined,
  length_min: undefined,
  length_max: undefined,
};

export function EpisodesPanel({ version, search, onSearch }: EpisodesPanelProps) {
  const query = useInfiniteQuery(datasetEpisodesQuery(version.name, version.version, filterOf(search)));
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  const episodes = query.data?.pages.flatMap((page) => page.items) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  return (
    <>
      {search.episode !== undefined && (
        <EpisodeWatch
          key={search.episode}
          version={version}
          episode={search.episode}
          frame={search.frame}
          onFrame={(frame) => onSearch({ frame })}
          onClose={() => onSearch({ episode: undefined, frame: undefined }, true)}
        />
      )}
      <Panel
        title="Episodes"
        flush
        aside={<span className="figures text-xs text-ink-3">{formatCount(total)}</span>}
        actions={
          <div className="w-44">
            <Select
              label="Order"
              value={search.sort ?? ""}
              options={ORDERS}
              onChange={(sort) => onSearch({ sort: sort || undefined })}
            />
          </div>
        }
      >
        <FilterNote search={search} onClear={() => onSearch(NO_FILTER)} />
        {query.isPending && (
          <div className="p-4">
            <Loading lines={8} />
          </div>
        )}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {query.isSuccess && episodes.length === 0 && (
          <EmptyState title="No episode matches">Change or clear the range.</EmptyState>
        )}
        {episodes.length > 0 && (
          <EpisodeTable
            version={version}
            episodes={episodes}
            total={total}
            selected={search.episode}
            onWatch={(episode) => onSearch({ episode, frame: undefined }, true)}
            onEnd={onEnd}
          />
        )}
      </Panel>
    </>
  );
}

function filterOf({
  sort,
  return_min,
  return_max,
  length_min,
  length_max,
}: DatasetSearch): DatasetEpisodeFilter {
  const all = { sort, return_min, return_max, length_min, length_max };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function FilterNote({ search, onClear }: { search: DatasetSearch; onClear: () => void }) {
  const parts = [
    ["return", search.return_min, search.return_max] as const,
    ["length", search.length_min, search.length_max] as const,
  ]
    .filter(([, low, high]) => low !== undefined || high !== undefined)
    .map(([what, low, high]) => `${what} ${rangeText({ low, high })}`);
  if (parts.length === 0) return null;
  return (
    <p className="flex items-center gap-3 border-b px-4 py-2 text-xs text-ink-2">
      <span>{`Only ${parts.join(", ")}.`}</span>
      <Button small kind="quiet" onClick={onClear}>
        Show all
      </Button>
    </p>
  );
}
