/** A reward of the user over the steps of an episode, as bars that are stacked by term. Pure. */
import type { Opened } from "@/panels/replay/messages";

export interface OwnTimeline {
  /** "gentle@v2" */
  name: string;
  /** Per step. */
  rewards: readonly number[];
  /** Per term and step; empty where the reward is one number. */
  terms: Readonly<Record<string, readonly number[]>>;
  /** The environment's, for comparison. */
  envRewards: readonly number[];
}

/** The reward that the run of the episode learned from; null where that was the environment's. */
export function timelineOf(opened: Opened | null | undefined): OwnTimeline | null {
  if (!opened || opened.own_rewards.length === 0) return null;
  const { own_name, own_rewards, own_terms, rewards } = opened;
  return { name: own_name || "your reward", rewards: own_rewards, terms: own_terms, envRewards: rewards };
}

export interface Bar {
  /** The column, from 0. */
  at: number;
  term: number;
  /** Both ends of its part of the stack. */
  from: number;
  to: number;
}

/** Without terms the reward is one itself. */
export const termNames = ({ name, terms }: OwnTimeline): string[] => {
  const names = Object.keys(terms);
  return names.length > 0 ? names : [name];
};

const seriesOf = (timeline: OwnTimeline, name: string): readonly number[] =>
  timeline.terms[name] ?? timeline.rewards;

/** Mean of each term over the steps of a column; positive parts are stacked upwards, negative ones downwards. */
export function stackedBars(timeline: OwnTimeline, columns: number): Bar[] {
  const count = timeline.rewards.length;
  const width = Math.max(1, Math.min(columns, count));
  const names = termNames(timeline);
  const means = names.map((name) => columnMeans(seriesOf(timeline, name), width));
  const bars: Bar[] = [];
  for (let at = 0; at < width; at++) {
    const ends = { up: 0, down: 0 };
    means.forEach((series, term) => {
      const value = series[at]!;
      if (value === 0) return;
      const side = value > 0 ? "up" : "down";
      bars.push({ at, term, from: ends[side], to: ends[side] + value });
      ends[side] += value;
    });
  }
  return bars;
}

function columnMeans(series: readonly number[], columns: number): number[] {
  return Array.from({ length: columns }, (_, x) => {
    const from = Math.floor((x * series.length) / columns);
    const to = Math.max(from + 1, Math.floor(((x + 1) * series.length) / columns));
    let sum = 0;
    for (let i = from; i < to; i++) sum += finite(series[i]);
    return sum / (to - from);
  });
}

const finite = (value: number | undefined): number =>
  value !== undefined && Number.isFinite(value) ? value : 0;

/** Lowest and highest end of the bars; zero is always between them. */
export function extentOfBars(bars: readonly Bar[]): [low: number, high: number] {
  let [low, high] = [0, 0];
  for (const { to } of bars) [low, high] = [Math.min(low, to), Math.max(high, to)];
  return low === high ? [0, 1] : [low, high];
}

export interface At {
  /** Null at the start, before the first step. */
  env: number | null;
  own: number | null;
  terms: { name: string; value: number | null }[];
  /** Sums up to this step. */
  envSoFar: number;
  ownSoFar: number;
}

/** Sums up to each step, from the start on: added up once per episode, not once per frame. */
export interface Totals {
  env: readonly number[];
  own: readonly number[];
}

export const totalsOf = ({ envRewards, rewards }: OwnTimeline): Totals => ({
  env: runningSums(envRewards),
  own: runningSums(rewards),
});

function runningSums(series: readonly number[]): number[] {
  const sums = [0];
  for (const value of series) sums.push(sums.at(-1)! + finite(value));
  return sums;
}

/** The numbers at step `step`, which is the state after that many actions. */
export function valuesAt(timeline: OwnTimeline, totals: Totals, step: number): At {
  const at = (series: readonly number[]) => (step > 0 ? (series[step - 1] ?? null) : null);
  const upTo = (sums: readonly number[]) => sums[Math.min(step, sums.length - 1)]!;
  return {
    env: at(timeline.envRewards),
    own: at(timeline.rewards),
    terms: Object.entries(timeline.terms).map(([name, series]) => ({ name, value: at(series) })),
    envSoFar: upTo(totals.env),
    ownSoFar: upTo(totals.own),
  };
}

/** The part of the width that the episode fills, so that the same step of all episodes is at the same place. */
export const shareOf = ({ rewards }: OwnTimeline, longest: number): number =>
  longest > 0 ? Math.min(1, rewards.length / longest) : 1;
