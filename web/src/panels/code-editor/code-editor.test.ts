import { expect, test } from "vitest";
import type { Environment } from "@/api/types";
import { marksOf } from "./remarks";
import { rewardWords, wordsBehind } from "./words";

const cartPole = {
  observation_names: ["cart position", "cart velocity", "pole angle (rad)"],
  action_names: ["push left", "push right"],
  action_space_type: "discrete",
} as Environment;
const words = rewardWords(cartPole);
const offered = (before: string) => wordsBehind(words, before);
const written = (before: string, label: string) =>
  offered(before).find((word) => word.label === label)?.apply;

test("a word of an observation writes its place in the array", () => {
  expect(written("return ", "pole angle (rad)")).toBe("obs[2]");
  expect(written("return next_obs[", "pole angle (rad)")).toBe("2");
  expect(offered("x = obs[").map(({ label }) => label)).toEqual(cartPole.observation_names);
});

test("a discrete action is offered as a comparison, a continuous one as a place", () => {
  expect(written("if ", "push right")).toBe("action == 1");
  const pendulum = { ...cartPole, action_names: ["torque"], action_space_type: "continuous" } as Environment;
  expect(wordsBehind(rewardWords(pendulum), "action[")).toMatchObject([{ label: "torque", apply: "0" }]);
});

test("behind np. only NumPy is offered, behind another dot nothing", () => {
  expect(offered("np.").map(({ label }) => label)).toContain("clip");
  expect(offered("np.").map(({ label }) => label)).not.toContain("obs");
  expect(offered("thing.")).toEqual([]);
});

test("a remark marks its line without the indentation", () => {
  const code = "def f():\n    return x\n";
  expect(marksOf(code, [{ line: 2, level: "error", message: "no x" }])).toEqual([
    { from: 13, to: 21, severity: "error", message: "no x" },
  ]);
});

test("a remark about a line that is gone marks the last one; one about the whole file marks none", () => {
  const remarks = [
    { line: 99, level: "warning", message: "gone" },
    { line: null, level: "info", message: "whole" },
  ] as const;
  expect(marksOf("a\nb", remarks).map(({ from, message }) => [from, message])).toEqual([[2, "gone"]]);
});
