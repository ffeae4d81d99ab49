/** Calls back when a run changes its status while this page is open. */
import { useRef } from "react";
import type { Run, RunStatus } from "./types";
import { topics, useLiveTopic } from "./use-live";

/** `before` is undefined for a run that this page has not heard of: a new one, or one of the past. */
export type OnRunChange = (run: Run, before: RunStatus | undefined) => void;

export function useRunChanges(onChange: OnRunChange): void {
  const known = useRef(new Map<string, RunStatus>());
  useLiveTopic<Run>(topics.runs, null, (runs) => {
    for (const run of runs) {
      const before = known.current.get(run.id);
      known.current.set(run.id, run.status);
      if (before !== run.status) onChange(run, before);
    }
  });
}
