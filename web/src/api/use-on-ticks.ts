/** Asks again while a run's ticks arrive: not more often than `everyMs`, never missing the last one, not while hidden. */
import { useEffect, useRef } from "react";
import type { Tick } from "./types";
import { topics, useLiveTopic } from "./use-live";

export function useOnTicks(runId: string | null, everyMs: number, ask: () => void): void {
  const latest = useRef(ask);
  latest.current = ask;
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLiveTopic<Tick>(runId === null ? null : topics.metrics(runId), null, () => {
    if (document.hidden || timer.current !== undefined) return;
    // What comes too soon is asked for later.
    const wait = askedAt.current + everyMs - performance.now();
    timer.current = setTimeout(
      () => {
        timer.current = undefined;
        askedAt.current = performance.now();
        latest.current();
      },
      Math.max(0, wait),
    );
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run is asked for by its own ticks
  useEffect(() => {
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [runId]);
}
