import { expect, test } from "vitest";
import { stateLines, textOf } from "./state";

test("numbers keep their width with any sign", () => {
  expect(
    textOf([0.25, -0.25])
      .split("  ")
      .map((part) => part.length),
  ).toEqual([6, 6]);
  expect(textOf(3)).toBe("3");
});

test("a long observation is cut and counted", () => {
  expect(textOf(Array.from({ length: 20 }, (_, i) => i))).toMatch(/11 {2}… 20 in all$/);
});

test("action, observation and info are lines", () => {
  const header = { action: 1, observation: [0], info: { lives: 3 } } as never;
  expect(stateLines(header)).toEqual([
    ["action", "1"],
    ["observation", "0"],
    ["lives", "3"],
  ]);
});
