/** The scored episodes: one column per reward, and the episodes whose rank differs. */
import { memo, useCallback, useMemo, useState } from "react";
import type { BenchEpisode } from "@/api/types";
import { flipsOf, scoredBy, spearman, type Weights } from "@/entities/bench/ranking";
import type { BenchState } from "@/entities/bench/state";
import { cx } from "@/ui/cx";
import { type Comparison, Flips } from "./Flips";
import { RewardResult } from "./RewardResult";

/** Constants: a new object in each render would score and draw all episodes again while the user types above. */
const NO_NAMES: readonly string[] = [];
const NO_WEIGHTS: Weights = {};

export interface BenchResultsProps {
  state: BenchState;
  watched: BenchEpisode | null;
  onWatch: (episode: BenchEpisode) => void;
}

export const BenchResults = memo(function BenchResults({ state, watched, onWatch }: BenchResultsProps) {
  const { plan, episodes, summary } = state;
  const names = plan?.rewards ?? NO_NAMES;
  const [weights, setWeights] = useState<Readonly<Record<number, Weights>>>({});
  const onWeights = useCallback(
    (reward: number, next: Weights) => setWeights((before) => ({ ...before, [reward]: next })),
    [],
  );
  const comparisons = useMemo(() => comparisonsOf(names, episodes, weights), [names, episodes, weights]);
  return (
    <div className="flex flex-col gap-6">
      <div className={cx("grid gap-6", names.length > 1 && "xl:grid-cols-2")}>
        {names.map((name, reward) => (
          <RewardResult
            key={reward}
            name={name}
            reward={reward}
            isPair={names.length > 1}
            episodes={episodes}
            summary={summary?.rewards.find((one) => one.reward === reward) ?? null}
            weights={weights[reward] ?? NO_WEIGHTS}
            watched={watched}
            onWeights={onWeights}
            onWatch={onWatch}
          />
        ))}
      </div>
      <Flips comparisons={comparisons} watched={watched} onWatch={onWatch} />
    </div>
  );
});

/** Each reward with the environment's, and the rewards with each other. */
export function comparisonsOf(
  names: readonly string[],
  episodes: readonly BenchEpisode[],
  weights: Readonly<Record<number, Weights>>,
): Comparison[] {
  const own = (reward: number, among: readonly BenchEpisode[]) =>
    scoredBy(among, reward, weights[reward]).map((one) => one.own);
  const withEnvironment = names.map((name, reward) => {
    const among = episodes.filter(({ scores }) => scores[reward]);
    const env = among.map(({ env_return }) => env_return);
    return made("environment", name, among, env, own(reward, among));
  });
  const withEachOther = pairsOf(names.length).map(([a, b]) => {
    const among = episodes.filter(({ scores }) => scores[a] && scores[b]);
    return made(names[a]!, names[b]!, among, own(a, among), own(b, among));
  });
  return [...withEnvironment, ...withEachOther];
}

const pairsOf = (count: number): [number, number][] =>
  Array.from({ length: count }, (_, a) => a).flatMap((a) =>
    Array.from({ length: count - a - 1 }, (_, i): [number, number] => [a, a + 1 + i]),
  );

const made = (
  first: string,
  second: string,
  episodes: readonly BenchEpisode[],
  a: readonly number[],
  b: readonly number[],
): Comparison => ({
  first,
  second,
  episodes: episodes.length,
  correlation: spearman(a, b),
  flips: flipsOf(episodes, a, b),
});
