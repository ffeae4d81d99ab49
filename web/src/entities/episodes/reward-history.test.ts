import { expect, test } from "vitest";
import type { Metrics } from "@/api/types";
import { extended, LAST } from "./reward-history";

/** Rewards of episodes; the reward of an episode is its number. */
const pushed = (index: number[], total = index.at(-1)! + 1, lengths = total): Metrics => {
  const series = { index, step: index, time: index, value: index };
  return { series: { reward: { ...series, total }, length: { ...series, total: lengths } } };
};
const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
const bars = (first: number, count: number) =>
  from(first, count).map((episode) => ({ episode, reward: episode }));

test("pushed episodes are added once, and only the last hundred stay", () => {
  expect(extended(bars(0, 3), pushed([1, 2, 3, 4]))).toEqual(bars(0, 5));
  expect(extended(bars(0, LAST), pushed(from(LAST, 2)))).toEqual(bars(2, LAST));
  expect(extended([], pushed([0]))).toEqual(bars(0, 1));
});

test("after a thinned message the newest hundred are complete", () => {
  const thinned = [...from(100, 3), 120, 140, ...from(200, LAST)];
  expect(extended(bars(0, 100), pushed(thinned))).toEqual(bars(200, LAST));
});

test("metrics without episodes change nothing", () => {
  const before = bars(0, 3);
  expect(extended(before, { series: { loss: pushed([4]).series.reward! } })).toBe(before);
});

test("episodes are fetched when the points do not show their numbers", () => {
  expect(extended(bars(0, 3), pushed([5]))).toBeNull();
  expect(extended(bars(0, 3), pushed([3], 4, 5))).toBeNull();
  expect(extended(bars(1, 3), { series: { reward: pushed([3]).series.reward! } })).toBeNull();
  const other = bars(0, 3).map((bar) => ({ ...bar, reward: -1 }));
  expect(extended(other, pushed([2, 3]))).toBeNull();
});
