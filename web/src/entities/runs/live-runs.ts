/** Keeps the runs in the cache up to date with the live messages of the lab. */

import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Run, RunPage } from "@/api/types";
import { topics, useLiveTopic } from "@/api/use-live";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { keepRun, type RunFilter, runQuery } from "./queries";

/** One run, live. */
export function useRun(runId: string) {
  useLiveRun(runId);
  return useQuery(runQuery(runId));
}

/** Keeps one run in the cache up to date, without redrawing the component that calls this. */
export function useLiveRun(runId: string | null): void {
  const client = useQueryClient();
  useLiveTopic<Run>(runId === null ? null : topics.status(runId), null, (runs) => {
    for (const run of runs) keepRun(client, run);
  });
}

/** Once for the whole page: keeps every list of runs up to date: rows change in place, new runs are added at the top, deleted ones removed. */
export function useLiveRuns(): void {
  const client = useQueryClient();
  useLiveTopic<Run>(topics.runs, null, (runs, batch) => {
    for (const run of runs) {
      if (!replaceInLists(client, run)) addToLists(client, run);
      if (client.getQueryData(keys.run(run.id))) keepRun(client, run);
    }
    if (batch.reset) void refresh(client, keys.runs);
  });
}

type Lists = InfiniteData<RunPage>;

/** Returns whether any list contains the run. Scroll position, selection and order of the rows do not change. */
export function replaceInLists(client: QueryClient, run: Run): boolean {
  let isKnown = false;
  for (const [key, lists] of client.getQueriesData<Lists>({ queryKey: keys.runs })) {
    if (!lists?.pages.some((page) => page.items.some((item) => item.id === run.id))) continue;
    isKnown = true;
    const belongs = isListed(run, key[1] as RunFilter | undefined);
    client.setQueryData<Lists>(key, belongs ? replaced(lists, run) : without(lists, run.id));
  }
  return isKnown;
}

/** In a list that is not sorted by age the position of a new run is unknown: such a list is fetched again. */
export function addToLists(client: QueryClient, run: Run): void {
  for (const [key, lists] of client.getQueriesData<Lists>({ queryKey: keys.runs })) {
    const filter = (key[1] ?? {}) as RunFilter;
    if (!lists || !isListed(run, filter) || isFoldedAway(run, filter, lists)) continue;
    // Only the lab can evaluate conditions such as lr<0.01.
    const hasConditions = /[:<>=]/.test(filter.q ?? "");
    if (!hasConditions && !matchesText(run, filter)) continue;
    const isNewestFirst = !hasConditions && (filter.sort === undefined || filter.sort === "-created_at");
    const newest = lists.pages[0]?.items[0];
    if (isNewestFirst && (newest === undefined || run.created_at >= newest.created_at))
      client.setQueryData<Lists>(key, atTop(lists, run));
    else void refresh(client, key);
  }
}

/** Removes archived or deleted runs at once, without fetching every page again. */
export function dropFromLists(client: QueryClient, runIds: readonly string[]): void {
  client.setQueriesData<Lists>({ queryKey: keys.runs }, (lists) =>
    lists ? runIds.reduce((left, id) => without(left, id), lists) : lists,
  );
}

/** Whether the run belongs in a list. A changed status is ignored, so that a row does not disappear under the reader. */
function isListed(run: Run, filter: RunFilter = {}): boolean {
  const kind = filter.kind ?? "train";
  return (
    !run.deleted_at && (kind === "all" || run.kind === kind) && run.archived === (filter.archived ?? false)
  );
}

/** A folded list shows one run of each study. */
const isFoldedAway = (run: Run, { folded }: RunFilter, lists: Lists): boolean =>
  Boolean(folded && run.study_id) &&
  lists.pages.some((page) => page.items.some((item) => item.study_id === run.study_id));

function matchesText(run: Run, filter: RunFilter): boolean {
  const config = run.config.kind === "train" ? run.config : null;
  const text = [run.id, run.name, config?.env_id, config?.algorithm, ...run.tags].join(" ").toLowerCase();
  return (
    (!filter.status || filter.status.includes(run.status)) &&
    (!filter.tag || run.tags.includes(filter.tag)) &&
    (!filter.study_id || run.study_id === filter.study_id) &&
    (!filter.dataset || config?.dataset?.sha256 === filter.dataset) &&
    (!filter.q || text.includes(filter.q.toLowerCase()))
  );
}

const replaced = (lists: Lists, run: Run): Lists => ({
  ...lists,
  pages: lists.pages.map((page) =>
    page.items.some((item) => item.id === run.id)
      ? { ...page, items: page.items.map((item) => (item.id === run.id ? run : item)) }
      : page,
  ),
});

const without = (lists: Lists, runId: string): Lists => {
  if (!lists.pages.some((page) => page.items.some((item) => item.id === runId))) return lists;
  return {
    ...lists,
    pages: lists.pages.map((page) => ({
      ...page,
      items: page.items.filter((item) => item.id !== runId),
      total: page.total - 1,
    })),
  };
};

const atTop = (lists: Lists, run: Run): Lists => ({
  ...lists,
  pages: lists.pages.map((page, i) => ({
    ...page,
    items: i === 0 ? [run, ...page.items] : page.items,
    total: page.total + 1,
  })),
});
