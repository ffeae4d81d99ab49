/** The tab's title and icon: progress first, because a tab shows only its beginning. */
import { useEffect } from "react";
import type { Run } from "@/api/types";
import { showFavicon } from "@/lib/favicon";
import { formatPercent } from "@/lib/format";
import { hasWorker } from "./status";

export function useRunTitle(run: Run | undefined): void {
  const title = run ? runTitle(run) : "RL Lab";
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = "RL Lab";
    };
  }, [title]);
  const percent = run && hasWorker(run) ? Math.round(run.progress.fraction * 50) / 50 : null;
  useEffect(() => {
    showFavicon(percent);
    return () => showFavicon(null);
  }, [percent]);
}

export function runTitle(run: Run): string {
  return `${hasWorker(run) ? formatPercent(run.progress.fraction) : run.status} · ${run.name} · RL Lab`;
}
