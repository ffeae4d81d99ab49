import { expect, test } from "vitest";
import { csvOf, fileNameOf } from "./files/export";
import { figureSvg, ticksOf } from "./files/figure";
import { labelPlace } from "./hover";
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
  expect(csv).toEqual({ text: 'step,"PPO ""best""",b\n1,5,\n2,,7\n', rows: 2 });
});

test("columns of the same name in a CSV are told apart", () => {
  const { text } = csvOf("step", [line("PPO", [1], [5]), line("PPO", [1], [6])]);
  expect(text.split("\n")[0]).toBe("step,PPO (1),PPO (2)");
});

test("a download is named after the run and the metric", () => {
  expect(fileNameOf("PPO on CartPole-v1 · lr 0.002 · seed 3", "Episode reward")).toBe(
    "ppo-on-cartpole-v1-lr-0.002-seed-3-episode-reward",
  );
});

test("a picture for print has title, axis names, legend and threshold on white", () => {
  const svg = figureSvg({
    title: "Reward <1>",
    xTitle: "Steps",
    yTitle: "Return",
    xKind: "number",
    series: [line("first", [0, 100], [1, 400]), { ...line("second", [0, 100], [2, 300]), colour: "blue" }],
    smoothing: 0.5,
    logY: false,
    range: null,
    threshold: { value: 475, label: "solved at 475" },
  });
  for (const part of ["Reward &lt;1&gt;", ">Steps<", ">Return<", ">first<", ">second<", "solved at 475"])
    expect(svg).toContain(part);
  expect(svg).toContain('width="1600" height="900"');
  expect(svg).toContain('fill="#ffffff"');
  expect(svg).not.toContain("NaN");
  expect(new DOMParser().parseFromString(svg, "image/svg+xml").querySelector("parsererror")).toBeNull();
});

test("the threshold's label can be read on a curve that runs along it, and is within the picture", () => {
  const svg = figureSvg({
    title: "Reward",
    xTitle: "Steps",
    yTitle: "Return",
    xKind: "number",
    series: [line("first", [0, 50, 100], [470, 480, 475])],
    smoothing: 0,
    logY: false,
    range: null,
    threshold: { value: 480, label: "solved at 480" },
  });
  const label = [...new DOMParser().parseFromString(svg, "image/svg+xml").querySelectorAll("text")].find(
    (one) => one.textContent === "solved at 480",
  )!;
  expect(label.getAttribute("paint-order")).toBe("stroke");
  expect(Number(label.getAttribute("y"))).toBeGreaterThan(100 + 20);
});

test("a picture of no points, one point or a logarithm is still whole", () => {
  const bare = { title: "t", xTitle: "x", yTitle: "y", xKind: "number" as const, smoothing: 0, range: null };
  const cases = [[], [line("a", [], [])], [line("a", [5], [3])], [line("a", [1, 2], [0.01, 100])]];
  for (const series of cases)
    expect(figureSvg({ ...bare, series, logY: series.length > 0, threshold: null })).not.toContain("NaN");
});

test("ticks are round numbers within the range", () => {
  expect(ticksOf([0, 60_000], 6)).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]);
  expect(ticksOf([-0.3, 0.3], 6)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]);
});

test("the interval of a line over seeds is smoothed with it, so that the line stays inside", () => {
  const ys = [0, 10, 0, 10, 0];
  const around = (by: number) => ys.map((y) => y + by);
  const series = { id: "a", label: "a", colour: "", xs: [0, 1, 2, 3, 4], ys, counts: [5, 5, 5, 5, 5] };
  const [, , line, low, high] = tableOf([{ ...series, low: around(-1), high: around(1) }], 0.9);
  for (let i = 0; i < ys.length; i++) {
    expect(low![i]!).toBeLessThan(line![i]!);
    expect(high![i]!).toBeGreaterThan(line![i]!);
  }
});

test("the label of the crosshair stays inside the page", () => {
  const room = [-20, 380] as const;
  expect(labelPlace({ at: 100, width: 50, isRightHalf: false, room })).toBe(112);
  expect(labelPlace({ at: 300, width: 50, isRightHalf: true, room })).toBe(238);
  expect(labelPlace({ at: 300, width: 350, isRightHalf: true, room })).toBe(-20);
  expect(labelPlace({ at: 100, width: 300, isRightHalf: false, room })).toBe(80);
});

test("a line of few measured points is not smoothed", () => {
  const sparse = { ...line("e", [1, 2], [0, 10]), isSparse: true };
  const [, , drawn, , , raw, measured] = tableOf([line("a", [1, 2], [0, 10]), sparse], 0.5);
  expect(drawn![1]).toBeCloseTo(6.667, 2);
  expect([...measured!]).toEqual([0, 10]);
  expect(raw![1]).toBeUndefined();
});
