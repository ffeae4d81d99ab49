import { expect, test } from "vitest";
import type { PairedDifference } from "@/api/types";
import { verdictOf } from "@/entities/duels/verdict";
import { wordsOf } from "./DuelTables";

const difference = (ci: [number, number]): PairedDifference => ({
  first: "a",
  second: "b",
  mean: (ci[0] + ci[1]) / 2,
  ci,
  ci_level: 0.95,
  wins_first: 6,
  wins_second: 3,
  ties: 1,
});

test("only an interval without zero decides a duel", () => {
  expect(verdictOf(difference([1, 5]))).toBe("first");
  expect(verdictOf(difference([-5, -1]))).toBe("second");
  expect(verdictOf(difference([-1, 5]))).toBe("open");
  expect(wordsOf(difference([-1, 5]))).toContain("6 to 3, 1 tie");
  expect(wordsOf(difference([-1, 5]))).toContain("contains zero");
});

test("a duel on too few seeds for an interval decides nothing", () => {
  const few = { ...difference([1, 5]), ci: [null, null], ci_level: null };
  expect(verdictOf(few)).toBe("open");
  expect(wordsOf(few)).toBe("6 to 3, 1 tie. So few seeds do not show which one is better.");
});
