/** Runs the bench: rows appear as they arrive; leaving the page, or a second start, ends it in the lab too. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { BenchRequest } from "@/api/types";
import { afterMessage, type BenchState, IDLE } from "./state";
import { benchMessages, CUT_OFF } from "./stream";

export interface Bench {
  state: BenchState;
  /** What the shown results were asked for; null before the first start. */
  asked: BenchRequest | null;
  start: (request: BenchRequest) => void;
  stop: () => void;
}

/** `onRefused`: the request was refused, or it broke off. */
export function useBench(onRefused?: (error: unknown, request: BenchRequest) => void): Bench {
  const [state, setState] = useState<BenchState>(IDLE);
  const [asked, setAsked] = useState<BenchRequest | null>(null);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  const refused = useRef(onRefused);
  useEffect(() => {
    refused.current = onRefused;
  });

  const start = useCallback((request: BenchRequest) => {
    current.current?.abort();
    const abort = new AbortController();
    current.current = abort;
    setAsked(request);
    setState({ ...IDLE, phase: "running" });
    void follow(request, abort.signal, setState).catch((error: unknown) => {
      if (abort.signal.aborted) return;
      setState((before) => ({ ...before, phase: "failed", error }));
      refused.current?.(error, request);
    });
  }, []);

  const stop = useCallback(() => {
    current.current?.abort();
    setState((before) => (before.phase === "running" ? { ...before, phase: "stopped" } : before));
  }, []);

  return { state, asked, start, stop };
}

type SetState = (change: (before: BenchState) => BenchState) => void;

async function follow(request: BenchRequest, signal: AbortSignal, setState: SetState): Promise<void> {
  for await (const message of benchMessages(request, signal)) {
    if (signal.aborted) return;
    setState((before) => afterMessage(before, message));
  }
  if (!signal.aborted)
    setState((before) =>
      before.phase === "running" ? { ...before, phase: "failed", error: new Error(CUT_OFF) } : before,
    );
}
