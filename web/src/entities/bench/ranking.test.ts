import { expect, test } from "vitest";
import type { BenchEpisode } from "@/api/types";
import {
  agreementText,
  flipsOf,
  ranksOf,
  scoredBy,
  spearman,
  spreadOf,
  spreadsByOutcome,
  termsOf,
  weighted,
} from "./ranking";

const made = (episode: number, env_return: number, terms: Record<string, number>): BenchEpisode => ({
  run_id: "r",
  episode,
  kind: "train",
  timestep: null,
  outcome: env_return > 0 ? "truncated" : "terminated",
  length: 10,
  env_return,
  recorded_return: null,
  is_exact: true,
  scores: [{ own_return: Object.values(terms).reduce((a, b) => a + b, 0), terms }],
});
const episodes = [
  made(1, 10, { speed: 1, fuel: -1 }),
  made(2, -5, { speed: 9, fuel: -3 }),
  made(3, 20, { speed: 2, fuel: 0 }),
];
const own = (weights = {}) => scoredBy(episodes, 0, weights).map((one) => one.own);

test("equal values share the mean of their ranks, the largest is first", () => {
  expect(ranksOf([5, 9, 5, 1])).toEqual([2.5, 1, 2.5, 4]);
});

test("the rank correlation of the same, the reversed and equal returns", () => {
  expect(spearman([1, 2, 3], [10, 200, 3000])).toBe(1);
  expect(spearman([1, 2, 3], [3, 2, 1])).toBe(-1);
  expect(spearman([1, 2, 3], [4, 4, 4])).toBeNull();
  expect(spearman([1, 2], [1, 2])).toBeNull();
});

test("a weight of 1 changes nothing, 0 removes the term", () => {
  expect(own()).toEqual([0, 6, 2]);
  expect(own({ speed: 0 })).toEqual([-1, -3, 0]);
  expect(weighted({ own_return: 4, terms: {} }, { speed: 7 })).toBe(4);
  const rounded = { own_return: 0.1 + 1e16, terms: { alive: 0.1, speed: 1e16 } };
  expect(weighted(rounded, { speed: 0 })).toBe(0.1);
});

test("another weight ranks the episodes anew", () => {
  const env = episodes.map(({ env_return }) => env_return);
  expect(spearman(env, own())).toBeLessThan(0);
  expect(spearman(env, own({ speed: 0 }))).toBe(1);
  const [first] = flipsOf(episodes, env, own());
  expect([first!.episode.episode, first!.firstRank, first!.secondRank]).toEqual([2, 3, 1]);
  expect(flipsOf(episodes, env, own({ speed: 0 }))).toEqual([]);
});

test("an episode that the reward could not score is left out", () => {
  const failed = { ...episodes[0]!, scores: [null] };
  expect(scoredBy([failed, episodes[1]!], 0)).toHaveLength(1);
});

test("quartiles lie between the values", () => {
  expect(spreadOf([4, 1, 2, 3])).toEqual({ low: 1, q25: 1.75, median: 2.5, q75: 3.25, high: 4 });
  expect(spreadOf([])).toBeNull();
});

test("only outcomes that occur are listed", () => {
  expect(spreadsByOutcome(scoredBy(episodes, 0)).map(({ outcome, episodes: n }) => [outcome, n])).toEqual([
    ["terminated", 1],
    ["truncated", 2],
  ]);
});

test("terms keep the order of the code", () => {
  expect(termsOf(episodes, 0)).toEqual(["speed", "fuel"]);
  expect(termsOf(episodes, 1)).toEqual([]);
});

test("the agreement in words", () => {
  expect(agreementText(0.97)).toContain("nearly");
  expect(agreementText(-0.6)).toContain("against");
  expect(agreementText(null)).toContain("too few");
});
