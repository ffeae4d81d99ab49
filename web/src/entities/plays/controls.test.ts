import { expect, test } from "vitest";
import {
  type Controls,
  codesOf,
  conflictsOf,
  keyLabel,
  unkeyedText,
  withAxis,
  withKeys,
  withoutKeys,
} from "./controls";

const discrete = {
  kind: "discrete",
  axes: [],
  keys: [
    { keys: ["ArrowLeft"], action: 0, entry: null, label: "push left" },
    { keys: ["ArrowRight"], action: 1, entry: null, label: "" },
  ],
} as unknown as Controls;
const continuous = {
  kind: "continuous",
  keys: [],
  axes: [
    { index: 0, label: "steer", minus: ["ArrowLeft"], plus: ["ArrowRight"] },
    { index: 1, label: "gas", minus: [], plus: ["ArrowUp"] },
  ],
} as unknown as Controls;

test("physical keys are named as they are printed", () => {
  expect(["KeyA", "Digit1", "ArrowLeft", "Space", "Numpad4", "F1"].map(keyLabel)).toEqual([
    "A",
    "1",
    "←",
    "Space",
    "Num 4",
    "F1",
  ]);
});

test("an action gets other keys, or none", () => {
  expect(withKeys(discrete, 0, ["KeyA"]).keys[0]).toEqual({
    keys: ["KeyA"],
    action: 0,
    entry: null,
    label: "push left",
  });
  expect(withoutKeys(discrete, 0).keys.map(({ action }) => action)).toEqual([1]);
  expect([...codesOf(continuous)]).toEqual(["ArrowLeft", "ArrowRight", "ArrowUp"]);
});

test("keys that two actions share are a conflict, in any order; a chord of other keys is none", () => {
  expect(conflictsOf(discrete)).toEqual([]);
  expect(conflictsOf(withKeys(discrete, 1, ["ArrowLeft"]))).toEqual([
    "← is used twice: “push left” and “action 1”.",
  ]);
  const chords = withKeys(withKeys(discrete, 0, ["KeyA", "KeyB"]), 1, ["KeyB", "KeyA"]);
  expect(conflictsOf(chords)).toHaveLength(1);
  expect(conflictsOf(withKeys(discrete, 1, ["ArrowLeft", "KeyA"]))).toEqual([]);
  expect(conflictsOf(withKeys(discrete, 1, []))).toEqual(["“action 1” has no key."]);
});

test("a key moves one axis in one direction", () => {
  expect(conflictsOf(continuous)).toEqual([]);
  expect(conflictsOf(withAxis(continuous, 1, { plus: ["ArrowLeft"] }))).toEqual([
    "← is used twice: “steer −” and “gas +”.",
  ]);
});

test("actions that no key gives are counted; the one at rest needs none", () => {
  const lander = { ...discrete, rest: 3, entries: [{ low: 0, high: 3 }] };
  expect(unkeyedText(lander)).toBe("1 of its 4 actions have no keys: type their number.");
  expect(unkeyedText({ ...lander, entries: [{ low: 0, high: 2 }], rest: 2 })).toBeNull();
  expect(unkeyedText({ ...discrete, rest: null, entries: [] })).toBeNull();
  const bits = [0, 1].map((entry) => ({ keys: ["KeyA"], action: 1, entry, label: "" }));
  const entries = [0, 1, 2].map(() => ({ low: 0, high: 1 }));
  const multi = { ...discrete, kind: "multi", entries, rests: [0, 0, 0], keys: bits } as Controls;
  expect(unkeyedText(multi)).toBe("1 of its values have no keys.");
  expect(unkeyedText({ ...multi, keys: [...bits, { ...bits[0]!, entry: 2 }] })).toBeNull();
});
