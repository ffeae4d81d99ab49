import { expect, test } from "vitest";
import type { EvaluationSummary } from "@/api/types";
import { betweenText, intervalOf, rangeText, TOO_FEW } from "./interval";

const summary = (return_ci: (number | null)[]) => ({ return_mean: 3, return_ci }) as EvaluationSummary;

test("an evaluation without an interval has one of no width, at its mean", () => {
  expect(intervalOf(summary([1, 5]))).toEqual([1, 5]);
  expect(intervalOf(summary([null, null]))).toEqual([3, 3]);
});

test("an interval is written with the level that the lab states", () => {
  expect(rangeText([1, 5], 0.95)).toBe("1 … 5 (95 %)");
  expect(rangeText([1, 5], 0.9)).toBe("1 … 5 (about 90 %)");
  expect(betweenText([1, 5], 0.9)).toBe("about 90 % between 1 and 5");
});

test("too few values have no interval, and the text says how many are needed", () => {
  expect(rangeText([null, null], null)).toBe(TOO_FEW);
  expect(betweenText(null, null)).toBe("too few for an interval: 5 needed");
});

test("equal values have no interval: without spread nothing is known about the true mean", () => {
  expect(rangeText([500, 500], 0.9)).toBe("all values are equal");
  expect(betweenText([500, 500], 0.9)).toBe("all values are equal");
});
