/** The scored episodes: one column per reward, and the episodes whose rank differs. */
import { useMemo, useState } from "react";
import type { BenchEpisode } from "@/api/types";
import { flipsOf, scoredBy, spearman, type Weights } from "@/entities/bench/ranking";
import type { BenchState } from "@/entities/bench/state";
import { cx } from "@/ui/cx";
import { type Comparison, Flips } from "./Flips";
import { RewardResult } from "./RewardResult";

export interface BenchResultsProps {
  state: BenchState;
  watched: BenchEpisode | null;
  onWatch: (episode: BenchEpisode) => void;
}

export function BenchResults({ state, watched, onWatch }: BenchResultsProps) {
  const { plan, episodes, summary } = state;
  const names = plan?.rewards ?? [];
  const [weights, setWeights] = useState<Readonly<Record<number, Weights>>>({});
  const comparisons = useMemo(() => comparisonsOf(names, episodes, weights), [names, episodes, weights]);
  return (
    <div className="flex flex-col gap-6">
      <div className={cx("grid gap-6", names.length > 1 && "xl:grid-cols-2")}>
        {names.map((name, reward) => (
          <RewardResult
            key={name}
            name={name}
            reward={reward}
            isPair={names.length > 1}
            episodes={episodes}
            summary={summary?.rewards.find((one) => one.reward === reward) ?? null}
            weights={weights[reward] ?? {}}
            watched={watched}
            onWeights={(next) => setWeights({ ...weights, [reward]: next })}
            onWatch={onWatch}
          />
        ))}
      </div>
      <Flips comparisons={comparisons} watched={watched} onWatch={onWatch} />
    </div>
  );
}

/** Each reward with the environment's, and two rewards with each other. */
function comparisonsOf(
  names: readonly string[],
  episodes: readonly BenchEpisode[],
  weights: Readonly<Record<number, Weights>>,
): Comparison[] {
  const own = (reward: number, among = episodes) =>
    scoredBy(among, reward, weights[reward]).map((one) => one.own);
  const withEnvironment = names.map((name, reward) => {
    const scored = scoredBy(episodes, reward, weights[reward]);
    const among = scored.map((one) => one.episode);
    return made(
      "environment",
      name,
      among,
      scored.map((one) => one.env),
      scored.map((one) => one.own),
    );
  });
  if (names.length < 2) return withEnvironment;
  const both = episodes.filter(({ scores }) => scores[0] && scores[1]);
  return [...withEnvironment, made(names[0]!, names[1]!, both, own(0, both), own(1, both))];
}

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
