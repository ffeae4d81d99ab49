/** The last ticks of a run for cards and sparklines; the lab sends the recent past first. */
import { useEffect, useState } from "react";
import type { Tick } from "@/api/types";
import { topics, useLiveTopic } from "@/api/use-live";

const KEPT = 120;

export function useTicks(runId: string | null): readonly Tick[] {
  const [ticks, setTicks] = useState<readonly Tick[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run starts without ticks
  useEffect(() => setTicks([]), [runId]);
  useLiveTopic<Tick>(runId === null ? null : topics.metrics(runId), null, (fresh) =>
    setTicks((before) => [...before, ...fresh].slice(-KEPT)),
  );
  return ticks;
}
