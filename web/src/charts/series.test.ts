import { expect, test } from "vitest";
import { csvOf } from "./export";
import { describe as describeSeries, type Series, tableOf } from "./series";
import { smooth } from "./smoothing";

const line = (id: string, xs: number[], ys: (number | null)[]): Series => ({
  id,
  label: id,
  colour: "red",
  xs,
  ys,
});

test("smoothing starts at the first value instead of climbing from zero", () => {
  const smoothed = smooth([100, 100, 100], 0.9);
  for (const value of smoothed) expect(value).toBeCloseTo(100, 9);
});

test("a NaN is a gap in the smoothed line and poisons nothing after it", () => {
  const smoothed = smooth([1, Number.NaN, 3], 0.5);
  expect(smoothed[1]).toBeNull();
  expect(smoothed[2]).toBeGreaterThan(1);
});

test("runs with different steps share one x column", () => {
  const [xs, , a, , , , b] = tableOf([line("a", [1, 3], [10, 30]), line("b", [2, 3], [20, 33])], 0);
  expect(xs).toEqual([1, 2, 3]);
  expect([a![0], a![2]]).toEqual([10, 30]);
  expect([b![1], b![2]]).toEqual([20, 33]);
});

test("with smoothing the raw line stays visible behind the smooth one", () => {
  const [, raw, drawn] = tableOf([line("a", [1, 2], [0, 10])], 0.5);
  expect(raw).toEqual([0, 10]);
  expect(drawn![1]).toBeCloseTo(6.667, 2);
});

test("hiding one run does not move another's average", () => {
  const [a, b] = [line("a", [1, 2], [0, 10]), line("b", [1, 2], [500, 500])];
  expect(tableOf([a, b], 0.8)[2]).toEqual(tableOf([a], 0.8)[2]);
});

test("the description contains what the chart shows", () => {
  expect(describeSeries("Reward", [line("a", [1, 2, 3], [5, null, 9])], String)).toBe(
    "Reward. a: 2 points between 5 and 9, last 9.",
  );
  expect(describeSeries("Reward", [], String)).toBe("Reward: no data yet.");
});

test("CSV holds the raw values, gaps empty, labels quoted", () => {
  const csv = csvOf("step", [line('PPO "best"', [1, 2], [5, null]), line("b", [2], [7])]);
  expect(csv).toBe('step,"PPO ""best""",b\n1,5,\n2,,7\n');
});
