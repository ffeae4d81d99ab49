import { expect, test } from "vitest";
import { spreadOf } from "./band";
import { moved } from "./gestures";
import { gapsOf, tableOf } from "./series";

const wheel = { deltaX: 0, deltaY: 0, ctrlKey: false, metaKey: false, shiftKey: false };
const line = (xs: number[], ys: (number | null)[]) => ({ id: "a", label: "a", colour: "red", xs, ys });

test("a plain wheel scrolls the page and leaves the chart alone", () => {
  expect(moved([0, 100], { ...wheel, deltaY: 100 }, 50)).toBeNull();
});

test("with Ctrl the wheel zooms and what is under the pointer stays there", () => {
  const [from, to] = moved([0, 100], { ...wheel, deltaY: -50, ctrlKey: true }, 25)!;
  expect(from).toBeGreaterThan(0);
  expect(to).toBeLessThan(100);
  expect((25 - from) / (to - from)).toBeCloseTo(0.25, 9);
});

test("with Shift the wheel pans and the width stays", () => {
  const [from, to] = moved([0, 100], { ...wheel, deltaY: 80, shiftKey: true }, 50)!;
  expect(from).toBeGreaterThan(0);
  expect(to - from).toBeCloseTo(100, 9);
});

test("the band holds the lowest and highest of each neighbourhood", () => {
  const ys: (number | null)[] = new Array(200).fill(5);
  ys[100] = 50;
  ys[120] = null;
  const { low, high } = spreadOf(ys);
  expect(high[99]).toBe(50);
  expect(high[50]).toBe(5);
  expect(low[100]).toBe(5);
  expect(high[120]).toBeNull();
});

test("episodes that ended at the same step all stay when runs are laid over each other", () => {
  const [xs, , first] = tableOf([line([10, 10, 20], [1, 2, 3]), line([10, 20], [4, 5])], 0);
  expect(xs.length).toBe(3);
  expect(Array.from(first!).filter((y) => y !== undefined && y !== null)).toEqual([1, 2, 3]);
});

test("a value that is no number is known as a gap", () => {
  expect(gapsOf(line([1, 2, 3], [1, null, Number.NaN]))).toEqual([2, 3]);
});
