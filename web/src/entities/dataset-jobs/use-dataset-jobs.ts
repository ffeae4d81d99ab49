/** The jobs on datasets, live; a job that ends refreshes the datasets. */
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { Run } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { runsQuery } from "@/entities/runs/queries";
import { isLive } from "@/entities/runs/status";
import { endedJobs, jobsAbout } from "./jobs";

/** In the shape of a list of runs: live messages keep it up to date. */
const datasetJobsQuery = runsQuery({ kind: "dataset" });

/** A job may end while its list is on the way: then its last message found no list to change. */
const WHILE_AT_WORK_MS = 5_000;

/** Of one dataset, or of all without a name; newest first. */
export function useDatasetJobs(name?: string): Run[] {
  const client = useQueryClient();
  const { data } = useInfiniteQuery({
    ...datasetJobsQuery,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(isLive)) ? WHILE_AT_WORK_MS : false,
  });
  const jobs = useMemo(() => jobsAbout(data?.pages.flatMap((page) => page.items) ?? [], name), [data, name]);
  const ended = endedJobs(jobs);
  // Also for jobs that had ended when this list arrived: the datasets may have been fetched before.
  useEffect(() => {
    if (ended) void refresh(client, keys.datasets);
  }, [ended, client]);
  return jobs;
}
