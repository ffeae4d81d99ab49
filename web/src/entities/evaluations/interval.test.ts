import { expect, test } from "vitest";
import type { EvaluationSummary } from "@/api/types";
import { intervalOf } from "./interval";

const summary = (return_ci: (number | null)[]) => ({ return_mean: 3, return_ci }) as EvaluationSummary;

test("an evaluation without an interval has one of no width, at its mean", () => {
  expect(intervalOf(summary([1, 5]))).toEqual([1, 5]);
  expect(intervalOf(summary([null, null]))).toEqual([3, 3]);
});
