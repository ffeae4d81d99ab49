import { expect, test } from "vitest";
import { parseSeeds } from "./seeds";

test.each([
  ["", null],
  ["5", 5],
  ["3,7,11", [3, 7, 11]],
  ["1-5", [1, 2, 3, 4, 5]],
  ["1-3, 9", [1, 2, 3, 9]],
  ["7,", [7]],
])("%j is read as seeds", (text, seeds) => {
  expect(parseSeeds(text)).toEqual({ seeds, problem: null });
});

test.each(["a", "3..5", "5-1", "0", "-3", "1-99999", "1e9"])(
  "%j is refused with what can be typed",
  (text) => {
    const { seeds, problem } = parseSeeds(text);
    expect(seeds).toBeNull();
    expect(problem).toMatch(/how many seeds|From 1 to/);
  },
);

test("a seed that is given twice is named", () => {
  expect(parseSeeds("1-4,3").problem).toBe("Seed 3 is there twice.");
});
