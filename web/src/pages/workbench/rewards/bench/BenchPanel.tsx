/** The reward bench: what the reward would give to episodes that are recorded already. */
import type { UseQueryResult } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { BenchEpisode, Code } from "@/api/types";
import { chunk } from "@/lib/chunks";
import { useWaitingCode } from "@/panels/code-consent/dialog";
import { Panel } from "@/ui/Panel";
import { BenchForm } from "./BenchForm";
import { BenchProgress } from "./BenchProgress";
import { firstChoice, type OpenReward, otherVersions, requestOf } from "./choice";
import { EpisodeTerms } from "./EpisodeTerms";
import { BenchResults } from "./results/BenchResults";
import { useApprovedBench } from "./use-approved-bench";

const CodeConsent = lazy(chunk(() => import("@/panels/code-consent/CodeConsent")));

export interface BenchPanelProps {
  open: OpenReward;
  /** All saved rewards. */
  known: UseQueryResult<Code[]>;
  /** The run that the reward was opened from. */
  runId: string | null;
}

export function BenchPanel({ open, known, runId }: BenchPanelProps) {
  const [choice, setChoice] = useState(() => firstChoice(runId));
  const [watched, setWatched] = useState<BenchEpisode | null>(null);
  const bench = useApprovedBench((known.data ?? []).flatMap(({ versions }) => versions));
  const asksForCode = useWaitingCode();
  const others = otherVersions(known.data ?? [], open);
  const { state, asked } = bench;
  const start = () => {
    setWatched(null);
    bench.start(requestOf(open, choice, others));
  };
  return (
    <div className="flex flex-col gap-4">
      <Suspense>{asksForCode && <CodeConsent />}</Suspense>
      <Panel title="Reward bench">
        <div className="flex flex-col gap-5">
          <BenchForm
            open={open}
            choice={choice}
            others={others}
            known={known}
            isRunning={state.phase === "running"}
            onChange={(change) => setChoice({ ...choice, ...change })}
            onStart={start}
            onStop={bench.stop}
          />
          <BenchProgress state={state} />
          {state.episodes.length > 0 && <BenchResults state={state} watched={watched} onWatch={setWatched} />}
        </div>
      </Panel>
      {watched && asked && (
        <EpisodeTerms
          key={`${watched.run_id} ${watched.episode}`}
          episode={watched}
          runName={state.plan?.runs.find(({ run_id }) => run_id === watched.run_id)?.name ?? watched.run_id}
          rewards={asked.rewards}
          onClose={() => setWatched(null)}
        />
      )}
    </div>
  );
}
