import { expect, test, vi } from "vitest";
import type { DerivedMetric, Metrics } from "@/api/types";
import { expressionOf, namesFor, paced, withDerived } from "./derived-points";

const points = (value: number[], source: string | null = null) => ({
  index: value.map((_, i) => i),
  step: value.map((_, i) => i),
  time: value,
  value,
  total: value.length,
  source,
});
const known: Metrics = {
  series: { reward: points([1, 2]), half: points([0.5], "derived: reward / 2"), own: points([7]) },
};
const definition = (name: string) => ({ name }) as DerivedMetric;

test("a derived series says its expression", () => {
  expect(expressionOf("derived: reward / 2")).toBe("reward / 2");
  expect(expressionOf("TensorBoard tag loss")).toBeNull();
  expect(expressionOf(null)).toBeNull();
});

test("only derived metrics are asked for, and not those that the run has measured", () => {
  expect(namesFor([definition("half"), definition("own"), definition("later")], known)).toBe("half,later");
  expect(namesFor([], known)).toBe("");
});

test("a request stays short enough", () => {
  const many = Array.from({ length: 200 }, (_, i) => definition(`${"m".repeat(50)}${i}`));
  expect(namesFor(many, known).length).toBeLessThanOrEqual(1_900);
});

test("fetched series replace older ones, and measured ones stay the same", () => {
  const after = withDerived(known, { series: { half: points([0.5, 1]), later: points([]) } });
  expect(after.series.half!.value).toEqual([0.5, 1]);
  expect(after.series.reward).toBe(known.series.reward);
  expect(after.series.later).toBeUndefined();
  expect(withDerived(known, { series: {} })).toBe(known);
});

test("requests are made at a bounded rate, and the last call is not lost", async () => {
  vi.useFakeTimers();
  let requests = 0;
  const { ask, cancel } = paced(async () => {
    requests++;
    if (requests === 1) throw new Error("away");
  }, 1000);
  for (let i = 0; i < 5; i++) ask();
  expect(requests).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(requests).toBe(2);
  await vi.advanceTimersByTimeAsync(5000);
  expect(requests).toBe(2);
  ask();
  cancel();
  await vi.advanceTimersByTimeAsync(5000);
  expect(requests).toBe(3);
  vi.useRealTimers();
});
