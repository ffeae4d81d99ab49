import { expect, test } from "vitest";
import type { Controls } from "@/entities/plays/controls";
import { car, continuous, discrete, multi, twoAxes } from "./examples";
import { actionButtons, axisControls, leanOf, mouseAxes, mouseText, pointerAxes, pointIn } from "./touch";

test("a discrete space has one button per action, arrows where they are on a keyboard", () => {
  const keys = [
    ...discrete.keys,
    { keys: ["KeyA"], action: 0, entry: null, label: "push left too" },
    { keys: ["KeyX", "KeyY"], action: 7, entry: null, label: "" },
  ];
  expect(actionButtons({ ...discrete, keys })).toEqual([
    { id: "action 0", action: 0, label: "push left", keys: ["ArrowLeft"], place: [1, 1] },
    { id: "action 1", action: 1, label: "push right", keys: ["ArrowRight"], place: [2, 1] },
    { id: "action 7", action: 7, label: "action 7", keys: ["KeyX", "KeyY"], place: null },
  ]);
  const up = [...discrete.keys, { keys: ["ArrowUp"], action: 2, entry: null, label: "up" }];
  expect(actionButtons({ ...discrete, keys: up }).map(({ place }) => place)).toEqual([
    [1, 2],
    [3, 2],
    [2, 1],
  ]);
});

test("an action that has a letter and an arrow is where the arrow is", () => {
  const keys = [
    ...discrete.keys.map((one, i) => ({ ...one, keys: ["KeyA", "KeyD"].slice(i, i + 1) })),
    ...discrete.keys,
  ];
  expect(actionButtons({ ...discrete, keys }).map(({ keys: shown, place }) => [shown, place])).toEqual([
    [["ArrowLeft"], [1, 1]],
    [["ArrowRight"], [2, 1]],
  ]);
});

test("an action of several entries has a button for each value that has keys", () => {
  expect(actionButtons(multi).map(({ label }) => label)).toEqual(["bit 0", "entry 2 = 1", "entry 2 = 2"]);
  const twins = [0, 1].map((entry) => ({ keys: ["KeyA"], action: 1, entry, label: "on" }));
  const ids = actionButtons({ ...multi, keys: [...twins, { ...twins[0]!, entry: 2, keys: [] }] }).map(
    ({ id }) => id,
  );
  expect(ids, "the same label twice, and a value without keys").toEqual(["entry 0 = 1", "entry 1 = 1"]);
});

test("two axes are a stick, others a slider each, and one that goes one way is a pedal", () => {
  expect(axisControls(twoAxes)).toEqual([
    { kind: "stick", label: "main engine and side engines", x: 0, y: 1 },
  ]);
  expect(axisControls(continuous)).toEqual([{ kind: "slider", label: "torque", axis: 0 }]);
  expect(axisControls(car).map(({ kind }) => kind)).toEqual(["slider", "pedal", "pedal"]);
});

test("a pointer is placed from −1 to 1, to the right and upwards, also outside of the box", () => {
  const box = { left: 100, top: 50, width: 200, height: 100 };
  expect(pointIn(box, 200, 100)).toEqual({ x: 0, y: 0 });
  expect(pointIn(box, 300, 50)).toEqual({ x: 1, y: 1 });
  expect(pointIn(box, 0, 500)).toEqual({ x: -1, y: -1 });
});

test("the pointer on the picture moves the axes that name it", () => {
  expect(pointerAxes(continuous, { x: 0.3, y: -0.7 })).toEqual({ 0: 0.3 });
  expect(pointerAxes(car, { x: 0.3, y: -0.7 })).toEqual({});
});

const withArrows = (controls: Controls, ...keys: [minus: string[], plus: string[]][]): Controls => ({
  ...controls,
  axes: controls.axes.map((axis, i) => ({ ...axis, mouse: null, minus: keys[i]![0], plus: keys[i]![1] })),
});

test("a mouse that is switched on steers the way of the arrow keys", () => {
  const pendulum = withArrows(continuous, [["ArrowRight"], ["ArrowLeft"]]);
  expect(mouseAxes(pendulum, { x: 0.5, y: 1 })).toEqual({ 0: -0.5 });
  expect(mouseText(pendulum)).toBe("left and right: torque");
  const driven = withArrows(car, [["ArrowLeft"], ["ArrowRight"]], [[], ["ArrowUp"]], [[], ["ArrowDown"]]);
  expect(mouseAxes(driven, { x: 0.5, y: 0.8 })).toEqual({ 0: 0.5, 1: 0.8, 2: 0 });
  expect(mouseAxes(driven, { x: 0, y: -1 })).toEqual({ 0: 0, 1: 0, 2: 1 });
  expect(mouseText(driven)).toBe("left and right: steer, up: gas, down: brake");
  expect(mouseText(withArrows(continuous, [["KeyA"], ["KeyQ"]]))).toBe("");
  expect(mouseText(discrete)).toBe("");
});

test("the stick of a lander fires the main engine upwards and the side engines sideways", () => {
  const lander = withArrows(twoAxes, [[], ["ArrowUp"]], [["ArrowLeft"], ["ArrowRight"]]);
  expect(axisControls(lander)).toMatchObject([{ kind: "stick", x: 1, y: 0 }]);
  expect(leanOf(lander.axes[1]!)).toEqual({ along: "x", sign: 1 });
});
