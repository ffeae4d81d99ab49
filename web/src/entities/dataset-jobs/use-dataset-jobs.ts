/** The jobs on datasets, live; a job that ends refreshes the datasets. */
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { Run } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { runsQuery } from "@/entities/runs/queries";
import { isLive } from "@/entities/runs/status";
import { jobsAbout } from "./jobs";

/** In the shape of a list of runs: live messages keep it up to date. */
const datasetJobsQuery = runsQuery({ kind: "dataset" });

/** Of one dataset, or of all without a name; newest first. */
export function useDatasetJobs(name?: string): Run[] {
  const client = useQueryClient();
  const { data } = useInfiniteQuery(datasetJobsQuery);
  const jobs = useMemo(() => jobsAbout(data?.pages.flatMap((page) => page.items) ?? [], name), [data, name]);
  const atWork = jobs
    .filter(isLive)
    .map(({ id }) => id)
    .join();
  const before = useRef(atWork);
  useEffect(() => {
    const hasEnded = before.current.split(",").some((id) => id && !atWork.includes(id));
    before.current = atWork;
    if (hasEnded) void refresh(client, keys.datasets);
  }, [atWork, client]);
  return jobs;
}
