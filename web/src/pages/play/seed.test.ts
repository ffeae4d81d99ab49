import { expect, test } from "vitest";
import { isSeedText, SEED_PROBLEM } from "./seed";

test("a seed is what the lab accepts as one", () => {
  expect(["0", " 7 ", "2147483647"].map(isSeedText)).toEqual([true, true, true]);
  expect(["", "-1", "1.5", "7e3", "abc", "2147483648"].map(isSeedText)).toEqual(Array(6).fill(false));
  expect(SEED_PROBLEM).toContain("2,147,483,647");
});
