import { expect, test } from "vitest";
import type { Metrics } from "@/api/types";
import { wholeSeries } from "./whole-series";

const points = (from: number, to: number): Metrics => {
  const index = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return { series: { reward: { index, step: index, time: index, value: index, total: index.length } } };
};

test("a download has every point of a long series, in order", async () => {
  const total = 45_000;
  const asked: number[] = [];
  const series = await wholeSeries(
    "a",
    "reward",
    "step",
    { id: "a", label: "a", colour: "red" },
    async (_id, _names, from, to) => {
      asked.push(from);
      return points(from, Math.min(to + 1, total));
    },
  );
  expect(asked).toEqual([0, 20_000, 40_000]);
  expect(series.ys).toHaveLength(total);
  expect([series.ys[0], series.ys[total - 1]]).toEqual([0, total - 1]);
});
