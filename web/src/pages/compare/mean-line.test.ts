import { expect, test } from "vitest";
import type { Series } from "@/charts/series";
import { lastValueAt, meanOf, missingText, type SeedLine } from "./mean-line";

const line = (xs: number[], ys: (number | null)[]): Series => ({
  id: "x",
  label: "x",
  colour: "red",
  xs,
  ys,
});
const ended = (xs: number[], ys: (number | null)[]): SeedLine => ({ line: line(xs, ys), hasEnded: true });
const running = (xs: number[], ys: (number | null)[]): SeedLine => ({ line: line(xs, ys), hasEnded: false });
const as = { id: "g", label: "g", colour: "red" };
const lastOf = (values: ArrayLike<number | null>) => values[values.length - 1];

test("a group is drawn as its mean with the lowest and highest around it", () => {
  const mean = meanOf([ended([0, 100], [10, 10]), ended([0, 100], [20, 20])], as);
  for (let i = 0; i < mean.xs.length; i++) {
    expect(mean.ys[i]).toBeCloseTo(15, 9);
    expect([mean.low![i], mean.high![i]]).toEqual([10, 20]);
  }
});

test("seeds that ended early keep their last value: the mean never becomes that of the others", () => {
  const solved = [1, 2, 3, 4].map((i) => ended([0, 10 * i, 20 * i], [0, 100, 200]));
  const mean = meanOf([...solved, ended([0, 100], [0, 136])], as);
  expect(lastOf(mean.xs)).toBeGreaterThan(99);
  expect(lastOf(mean.ys)).toBeCloseTo((4 * 200 + 136) / 5, 0);
  expect(lastOf(mean.high!)).toBe(200);
});

test("a run in progress ends the mean where it is, with the values the others had there", () => {
  const mean = meanOf([ended([0, 100], [0, 100]), running([0, 50], [0, 0])], as);
  expect(lastOf(mean.xs)).toBeLessThanOrEqual(50);
  expect(lastOf(mean.xs)).toBeGreaterThan(49);
  expect(lastOf(mean.ys)).toBeCloseTo(25, 0);
});

test("the mean begins where every seed has a value", () => {
  const mean = meanOf([ended([0, 100], [0, 0]), ended([40, 100], [10, 10])], as);
  expect(mean.xs[0]).toBeGreaterThanOrEqual(40);
  expect(mean.ys[0]).toBeCloseTo(5, 9);
});

test("one metric over another is averaged only where all seeds have values", () => {
  const scatter = (xs: number[], ys: number[]) => ({
    line: { ...line(xs, ys), isScatter: true },
    hasEnded: true,
  });
  expect(lastOf(meanOf([scatter([0, 50], [0, 0]), scatter([0, 100], [10, 10])], as).xs)).toBeLessThanOrEqual(
    50,
  );
});

test("a seed without values is left out and counted in the label", () => {
  const seeds = [ended([0, 100], [10, 10]), ended([0, 100], [20, 20]), ended([], [])];
  expect(missingText(seeds, 3)).toBe(" (mean of 2: 1 without values)");
  expect(missingText(seeds.slice(0, 2), 2)).toBe("");
  expect(meanOf(seeds, as).ys[0]).toBeCloseTo(15, 9);
});

test("in a zoomed range a run that ended before it has its last value", () => {
  expect(lastValueAt(line([0, 10, 20], [1, 2, null]), 50)).toMatchObject({ xs: [50], ys: [2] });
  const mean = meanOf(
    [{ line: lastValueAt(line([0, 10], [1, 2]), 50), hasEnded: true }, ended([50, 90], [4, 4])],
    as,
  );
  expect(lastOf(mean.ys)).toBeCloseTo(3, 9);
});

test("a mean of nothing is an empty line", () => {
  expect(meanOf([ended([], [])], as).xs).toEqual([]);
});
