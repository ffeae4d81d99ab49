/** Keeps the runs the page has asked for in step with what the lab says about them. */
import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Run, RunPage } from "@/api/types";
import { topics, useLiveTopic } from "@/api/use-live";
import { keepRun, runQuery } from "./queries";

/** One run, live. */
export function useRun(runId: string) {
  const client = useQueryClient();
  useLiveTopic<Run>(topics.status(runId), null, (runs) => {
    for (const run of runs) keepRun(client, run);
  });
  return useQuery(runQuery(runId));
}

/** Every list of runs on the page, live: rows change in place, a new run asks for the list again. */
export function useLiveRuns(): void {
  const client = useQueryClient();
  useLiveTopic<Run>(topics.runs, null, (runs, batch) => {
    const unknown = runs.filter((run) => !replaceInLists(client, run));
    for (const run of runs) if (client.getQueryData(runQuery(run.id).queryKey)) keepRun(client, run);
    if (unknown.length > 0 || batch.reset) void client.invalidateQueries({ queryKey: ["runs"] });
  });
}

/** Whether some list on the page knows the run. Scroll, selection and order of the rows stay as they are. */
export function replaceInLists(client: QueryClient, run: Run): boolean {
  let isKnown = false;
  client.setQueriesData<InfiniteData<RunPage>>({ queryKey: ["runs"] }, (lists) => {
    if (!lists?.pages.some((page) => page.items.some((item) => item.id === run.id))) return lists;
    isKnown = true;
    return {
      ...lists,
      pages: lists.pages.map((page) => ({
        ...page,
        items: page.items.map((item) => (item.id === run.id ? run : item)),
      })),
    };
  });
  return isKnown;
}
