/** How a reward ranks episodes, with other weights of its terms than the code has. Pure, and quick for 1,000 episodes. */
import type { BenchEpisode } from "@/api/types";

/** By the name of the term; a missing one is 1. */
export type Weights = Readonly<Record<string, number>>;

/** An episode under one reward. */
export interface Scored {
  episode: BenchEpisode;
  env: number;
  own: number;
}

/** The episodes that this reward could score, with its terms weighted. */
export function scoredBy(episodes: readonly BenchEpisode[], reward: number, weights: Weights = {}): Scored[] {
  return episodes.flatMap((episode) => {
    const score = episode.scores[reward];
    if (!score) return [];
    return [{ episode, env: episode.env_return, own: weighted(score, weights) }];
  });
}

/** The return with these weights. A term of weight 0 leaves no rounding error behind, which would rank episodes. */
export function weighted(
  { own_return, terms }: { own_return: number; terms: Readonly<Record<string, number>> },
  weights: Weights,
): number {
  const weightOf = (name: string) => weights[name] ?? 1;
  if (Object.keys(terms).every((name) => weightOf(name) === 1)) return own_return;
  return Object.entries(terms).reduce((sum, [name, value]) => sum + weightOf(name) * value, 0);
}

/** Rank 1 is the largest; equal values share the mean of their ranks. */
export function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[b]! - values[a]!);
  const ranks = new Array<number>(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start;
    while (end + 1 < order.length && values[order[end + 1]!] === values[order[start]!]) end++;
    for (let at = start; at <= end; at++) ranks[order[at]!] = (start + end) / 2 + 1;
    start = end + 1;
  }
  return ranks;
}

/** Spearman's rank correlation, −1 to 1; null with fewer than three values or where all are equal. */
export function spearman(a: readonly number[], b: readonly number[]): number | null {
  if (a.length < 3) return null;
  return correlation(ranksOf(a), ranksOf(b));
}

function correlation(a: readonly number[], b: readonly number[]): number | null {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [both, va, vb] = [0, 0, 0];
  a.forEach((value, i) => {
    both += (value - ma) * (b[i]! - mb);
    va += (value - ma) ** 2;
    vb += (b[i]! - mb) ** 2;
  });
  return va === 0 || vb === 0 ? null : both / Math.sqrt(va * vb);
}

export interface Flip {
  episode: BenchEpisode;
  first: number;
  second: number;
  firstRank: number;
  secondRank: number;
}

const FEW_FLIPS = 50;

/** The episodes whose rank differs most between two ways to score them. */
export function flipsOf(
  episodes: readonly BenchEpisode[],
  first: readonly number[],
  second: readonly number[],
): Flip[] {
  const [firstRanks, secondRanks] = [ranksOf(first), ranksOf(second)];
  return episodes
    .map((episode, i) => ({
      episode,
      first: first[i]!,
      second: second[i]!,
      firstRank: firstRanks[i]!,
      secondRank: secondRanks[i]!,
    }))
    .filter(({ firstRank, secondRank }) => firstRank !== secondRank)
    .sort((a, b) => Math.abs(b.firstRank - b.secondRank) - Math.abs(a.firstRank - a.secondRank))
    .slice(0, FEW_FLIPS);
}

export interface Spread {
  low: number;
  q25: number;
  median: number;
  q75: number;
  high: number;
}

export function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const below = Math.floor(place);
    const above = Math.min(below + 1, sorted.length - 1);
    return sorted[below]! + (place - below) * (sorted[above]! - sorted[below]!);
  };
  return { low: sorted[0]!, q25: at(0.25), median: at(0.5), q75: at(0.75), high: sorted.at(-1)! };
}

export type Outcome = BenchEpisode["outcome"];
export const OUTCOMES: readonly Outcome[] = ["success", "terminated", "truncated", "unfinished"];
export const OUTCOME_WORDS: Record<Outcome, string> = {
  success: "success",
  terminated: "ended by the task",
  truncated: "ended by time",
  unfinished: "not finished",
};

export interface OutcomeSpread {
  outcome: Outcome;
  episodes: number;
  own: Spread;
  env: Spread;
}

/** The returns of the episodes that ended alike. */
export function spreadsByOutcome(scored: readonly Scored[]): OutcomeSpread[] {
  return OUTCOMES.flatMap((outcome) => {
    const found = scored.filter(({ episode }) => episode.outcome === outcome);
    const own = spreadOf(found.map((one) => one.own));
    const env = spreadOf(found.map((one) => one.env));
    return own && env ? [{ outcome, episodes: found.length, own, env }] : [];
  });
}

/** In the order in which they appeared first. */
export function termsOf(episodes: readonly BenchEpisode[], reward: number): string[] {
  const names = new Set<string>();
  for (const { scores } of episodes)
    for (const name of Object.keys(scores[reward]?.terms ?? {})) names.add(name);
  return [...names];
}

/** "It ranks them nearly as the environment does." */
export function agreementText(correlation: number | null): string {
  if (correlation === null) return "There are too few different returns to compare.";
  if (correlation > 0.9) return "It ranks episodes nearly as the environment does.";
  if (correlation > 0.5) return "It mostly agrees with the environment.";
  if (correlation > 0.1) return "It agrees with the environment only weakly.";
  if (correlation > -0.1) return "Its ranking is unrelated to the environment’s.";
  return "It ranks episodes against the environment: what is good there is bad here.";
}
