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

test("numbers are named where each of them has a name", () => {
  const header = { action: 1, observation: [0.5, 2], info: {} } as never;
  const names = {
    action_names: ["push left", "push right"],
    observation_names: ["position (m)", "velocity"],
  };
  expect(stateLines(header, names).map(([name]) => name)).toEqual(["action", "position (m)", "velocity"]);
  expect(stateLines(header, names)[0]).toEqual(["action", "push right (1)"]);
  const other = { ...names, observation_names: ["only one"] };
  expect(stateLines(header, other)[1]![0]).toBe("observation");
});

test("action, observation and info are lines", () => {
  const header = { action: 1, observation: [0], info: { lives: 3 } } as never;
  expect(stateLines(header)).toEqual([
    ["action", "1"],
    ["observation", "0"],
    ["lives", "3"],
  ]);
});
