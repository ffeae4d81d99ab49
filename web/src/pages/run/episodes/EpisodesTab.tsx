/** The episodes of a run, and the replay of the selected one. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { choiceOf } from "@/entities/dataset-jobs/choice";
import { type EpisodeFilter, episodesQuery, filterOf, returnsQuery } from "@/entities/episodes/queries";
import { isLive } from "@/entities/runs/status";
import { trainConfigOf } from "@/entities/runs/words";
import { rolesOf, scriptEnvironmentsQuery } from "@/entities/script-environments/queries";
import { formatCount } from "@/lib/format";
import type { TabProps } from "@/pages/run/tab";
import { openNewDataset } from "@/panels/new-dataset/dialog";
import { ReturnBars } from "@/panels/return-histogram/ReturnBars";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { EpisodeFilters } from "./EpisodeFilters";
import { EpisodeList } from "./EpisodeList";
import { EpisodeNote } from "./EpisodeNote";
import { EpisodeReplay } from "./EpisodeReplay";
import { ScriptEnvironments } from "./ScriptEnvironments";

/** Another episode opens by itself, from its start. */
const NOTHING_ELSE = { frame: undefined, fork: undefined, second: undefined };

export default function EpisodesTab({ run, search, onSearch }: TabProps) {
  const filter = filterOf(search);
  const around = useAround(run.id, filter, search.episode);
  const query = useInfiniteQuery(episodesQuery(run.id, filter, around.episode));
  const { fetchNextPage } = query;
  const onEnd = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const episodes = query.data?.pages.flatMap((page) => page.items) ?? [];
  const { total = 0, skipped = 0 } = query.data?.pages[0] ?? {};
  const isFiltered = Object.keys(filter).some((name) => name !== "sort");
  const unseen = isFiltered ? 0 : run.progress.episodes - total;
  const { data: environments = [] } = useQuery(scriptEnvironmentsQuery(run.id));
  const returns = useQuery(returnsQuery(run.id, filter));
  const refetch = () => {
    void query.refetch();
    void returns.refetch();
  };
  const shown = search.episode ?? episodes.find((episode) => episode.recorded)?.episode;
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[22rem_minmax(0,1fr)]">
      {/* On a narrow screen what one watches comes first. */}
      <div className="flex min-w-0 flex-col gap-4 max-xl:order-2">
        <Panel
          title="Episodes"
          flush
          aside={<span className="figures text-xs text-ink-3">{formatCount(total)}</span>}
          actions={
            <>
              {unseen > 0 && query.isSuccess && (
                <Button small kind="quiet" icon="reset" onClick={refetch}>
                  {formatCount(unseen)} new
                </Button>
              )}
              {total > 0 && (
                <Button
                  small
                  kind="quiet"
                  title="A dataset of the listed episodes"
                  onClick={() => openNewDataset({ way: "episodes", choose: choiceOf(run, filter) })}
                >
                  Make dataset
                </Button>
              )}
            </>
          }
        >
          <EpisodeFilters search={search} onSearch={onSearch} roles={rolesOf(environments)} />
          {returns.data && (
            <ReturnBars
              histogram={returns.data}
              low={search.min_reward}
              high={search.max_reward}
              onRange={(min_reward, max_reward) => onSearch({ min_reward, max_reward })}
            />
          )}
          {query.isPending && (
            <div className="p-4">
              <Loading lines={8} />
            </div>
          )}
          {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
          {query.isSuccess && episodes.length === 0 && (
            <EmptyState title={isFiltered ? "No episode matches" : "No episodes yet"}>
              {isFiltered
                ? "Change or clear the filter."
                : isLive(run)
                  ? "Episodes are listed as they end."
                  : "This run ended before its first episode."}
            </EmptyState>
          )}
          {episodes.length > 0 && (
            <EpisodeList
              episodes={episodes}
              total={total}
              skipped={skipped}
              onTop={around.forget}
              selected={shown}
              onSelect={(episode) => onSearch({ episode, ...NOTHING_ELSE }, true)}
              onEnd={onEnd}
            />
          )}
        </Panel>
        <ScriptEnvironments run={run} />
      </div>
      {shown !== undefined ? (
        <div className="flex min-w-0 flex-col gap-4">
          <EpisodeReplay
            key={`${run.id} ${shown}`}
            run={run}
            episode={shown}
            frame={search.frame}
            isChosen={search.episode !== undefined}
            fork={search.fork}
            second={search.second}
            onSearch={onSearch}
          />
          <EpisodeNote key={shown} runId={run.id} episode={shown} />
        </div>
      ) : (
        query.isSuccess && <NothingToWatch records={trainConfigOf(run)?.record ?? true} />
      )}
    </div>
  );
}

/** The episode that the list begins at: one that was chosen elsewhere and is not among the first rows. */
function useAround(runId: string, filter: EpisodeFilter, chosen: number | undefined) {
  const [forgotten, forget] = useState<number>();
  const top = useInfiniteQuery(episodesQuery(runId, filter));
  const isListed = top.data?.pages.some((page) => page.items.some((row) => row.episode === chosen));
  const isFar = top.isSuccess && chosen !== undefined && chosen !== forgotten && !isListed;
  const last = useRef<number>(undefined);
  // A click on another row of a list that begins elsewhere must not move the list.
  if (!isFar) last.current = undefined;
  else last.current ??= chosen;
  return { episode: last.current, forget: () => forget(chosen) };
}

function NothingToWatch({ records }: { records: boolean }) {
  return (
    <Panel title="Replay">
      <EmptyState title="Nothing to watch yet">
        {records
          ? "A recorded episode is replayed here step by step, with the agent’s observations and outputs."
          : "This run was started without recording, so its episodes cannot be replayed."}
      </EmptyState>
    </Panel>
  );
}
