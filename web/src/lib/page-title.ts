/** The tab's title: progress first, because a tab shows only its beginning. */
import { useEffect } from "react";
import type { Run } from "@/api/types";
import { formatPercent } from "./format";

export function useRunTitle(run: Run | undefined): void {
  const title = run ? runTitle(run) : "RL Lab";
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = "RL Lab";
    };
  }, [title]);
}

export function runTitle(run: Run): string {
  const isLive = ["starting", "running", "paused", "stopping"].includes(run.status);
  return `${isLive ? formatPercent(run.progress.fraction) : run.status} · ${run.name} · RL Lab`;
}
