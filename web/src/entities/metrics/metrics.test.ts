import { expect, test } from "vitest";
import type { Metrics, Tick } from "@/api/types";
import { episodeOf, nearest, stepsOf, xsOf } from "./axis";
import { folded, grown, isGap } from "./live-points";
import { evaluationSeries, inOrder, metricNames, metricTitle, returnsOf, seriesOf } from "./series";
import { continued } from "./use-ticks";

const points = (index: number[], step: number[], value: (number | null)[], total = index.length) => ({
  index,
  step,
  time: step.map((s) => 1000 + s / 10),
  value,
  total,
});
const metrics: Metrics = {
  series: {
    reward: points([0, 1, 2, 3], [10, 20, 35, 50], [1, 2, 3, 4]),
    loss: points([0, 1], [20, 40], [0.5, null]),
  },
};
const line = { id: "a", label: "a", colour: "red" };

test("each axis has its own x for the same point", () => {
  expect(xsOf(metrics, "reward", "step")).toEqual([10, 20, 35, 50]);
  expect(xsOf(metrics, "reward", "episode")).toEqual([0, 1, 2, 3]);
  expect(xsOf(metrics, "loss", "episode")).toEqual([1, 2]);
  expect(Array.from(xsOf(metrics, "reward", "relative"))).toEqual([0, 1, 2.5, 4]);
});

test("one metric over another is sorted by x and has no line", () => {
  const scatter = seriesOf(metrics, "loss", "metric:reward", line);
  expect(scatter.isScatter).toBe(true);
  expect(scatter.xs).toEqual([2]);
  expect(scatter.ys).toEqual([0.5]);
});

test("a click finds the episode behind the point", () => {
  expect(episodeOf(metrics, "reward", "step", 34)).toBe(2);
  expect(episodeOf(metrics, "loss", "step", 21)).toBe(1);
  expect(episodeOf(metrics, "reward", "episode", 3)).toBe(3);
  expect(episodeOf(metrics, "reward", "metric:loss", 3)).toBeNull();
});

test("a zoom on any axis is requested in steps that cover it", () => {
  const byStep = stepsOf(metrics, "step", [20, 40])!;
  expect(byStep.from).toBeLessThanOrEqual(20);
  expect(byStep.to).toBeGreaterThanOrEqual(40);
  const byEpisode = stepsOf(metrics, "episode", [1, 2])!;
  expect(byEpisode.from).toBeLessThanOrEqual(20);
  expect(byEpisode.to).toBeGreaterThanOrEqual(35);
});

test("pushed points are added once, even if they overlap", () => {
  const pushed: Metrics = { series: { reward: points([2, 3, 4], [35, 50, 60], [3, 4, 5], 5) } };
  const after = grown(metrics, pushed, 100);
  expect(after.series.reward!.value).toEqual([1, 2, 3, 4, 5]);
  expect(after.series.reward!.total).toBe(5);
  expect(after.series.loss).toBe(metrics.series.loss);
  expect(grown(after, pushed, 100)).toBe(after);
});

test("a metric that is new is added", () => {
  expect(grown(metrics, { series: { kl: points([0], [50], [0.1]) } }, 100).series.kl!.total).toBe(1);
});

test("a thinned series continues at its total, not at its last shown point", () => {
  const thinned: Metrics = { series: { reward: points([0, 7], [10, 80], [1, 9], 10) } };
  const pushed: Metrics = { series: { reward: points([8, 9, 10], [90, 100, 110], [2, 3, 4], 11) } };
  expect(isGap(thinned, pushed)).toBe(false);
  expect(grown(thinned, pushed, 100).series.reward!.index).toEqual([0, 7, 10]);
});

test("points of a run that was resumed from an older checkpoint are drawn in the order of their steps", () => {
  const pushed: Metrics = { series: { reward: points([4, 5], [30, 55], [8, 9], 6) } };
  const after = grown(metrics, pushed, 100).series.reward!;
  expect(after.step).toEqual([10, 20, 30, 35, 50, 55]);
  expect(after.index).toEqual([0, 1, 4, 2, 3, 5]);
});

test("points that are missing before the pushed ones are noticed", () => {
  const at = (index: number): Metrics => ({ series: { reward: points([index], [60], [5], index + 1) } });
  expect(isGap(metrics, at(4))).toBe(false);
  expect(isGap(metrics, at(2))).toBe(false);
  expect(isGap(metrics, at(5))).toBe(true);
  expect(isGap(metrics, { series: { kl: points([3], [60], [5], 4) } })).toBe(true);
});

test("folding keeps every peak, both ends and every gap", () => {
  const value: (number | null)[] = Array.from({ length: 1000 }, (_, i) => (i === 500 ? 99 : i % 7));
  value[700] = null;
  const index = value.map((_, i) => i);
  const after = folded(points(index, index, value, 5000), 50);
  expect(after.index.length).toBeLessThan(110);
  expect(after.value).toContain(99);
  expect(after.index).toContain(700);
  expect([after.index[0], after.index.at(-1)]).toEqual([0, 999]);
  expect(after.total).toBe(5000);
});

test("the nearest of ascending numbers is found at both ends", () => {
  expect(nearest([1, 5, 9], 0)).toBe(0);
  expect(nearest([1, 5, 9], 6)).toBe(1);
  expect(nearest([1, 5, 9], 100)).toBe(2);
});

test("the most important metrics are listed first", () => {
  expect(inOrder(["kl", "loss", "reward", "entropy", "loss"])).toEqual(["reward", "loss", "entropy", "kl"]);
});

test("the return under a reward of one's own is next to the environment's, followed by its terms", () => {
  const names = ["loss", "own_return/fuel", "own_return", "reward"];
  expect(inOrder(names)).toEqual(["reward", "own_return", "own_return/fuel", "loss"]);
  expect(metricTitle("own_return/fuel")).toBe("Your reward: fuel");
});

test("evaluations alongside a training are a line of their own, with the interval as its band", () => {
  const points = (value: number[]) => ({ step: [10, 20], time: [1, 2], value, total: 2 });
  const measured = {
    series: {
      reward: points([1, 2]),
      "evaluation/return_mean": points([5, 6]),
      "evaluation/return_low": points([4, 5]),
      "evaluation/return_high": points([6, 7]),
    },
  } as unknown as Metrics;
  const line = { id: "e", label: "Evaluation (5 fixed seeds)", colour: "grey" };
  const drawn = evaluationSeries(measured, "step", line)!;
  expect([drawn.label, drawn.isSparse]).toEqual(["Evaluation (5 fixed seeds)", true]);
  expect([drawn.xs, drawn.ys, drawn.low, drawn.high].map((column) => Array.from(column!))).toEqual([
    [10, 20],
    [5, 6],
    [4, 5],
    [6, 7],
  ]);
  expect(evaluationSeries(measured, "episode", line), "they belong to no episode").toBeNull();
  // What learns from a dataset plays no episodes of its own.
  expect(returnsOf(measured, "mean_reward", "step", line).label).toBe(`${line.label} (evaluation)`);
  expect(returnsOf(measured, "loss", "step", line).xs).toEqual([]);
  expect(evaluationSeries({ series: {} } as Metrics, "step", line)).toBeNull();
  expect(metricNames(measured)).toEqual(["reward", "evaluation/return_mean"]);
});

test("ticks of steps that are trained again replace those before", () => {
  const ticks = (...steps: number[]) => steps.map((timestep, id) => ({ id, timestep }) as Tick);
  const steps = (before: number[], fresh: number[]) =>
    continued(ticks(...before), ticks(...fresh)).map(({ timestep }) => timestep);
  expect(steps([100, 200, 300], [120, 220])).toEqual([100, 120, 220]);
  expect(steps([100, 200], [300])).toEqual([100, 200, 300]);
  expect(steps([100, 200], [])).toEqual([100, 200]);
});
