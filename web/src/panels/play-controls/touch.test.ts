import { expect, test } from "vitest";
import { car, continuous, discrete, twoAxes } from "./examples";
import { actionButtons, axisControls, pointerAxes, pointIn } from "./touch";

test("a discrete space has one button per action, arrows where they are on a keyboard", () => {
  const keys = [
    ...discrete.keys,
    { keys: ["KeyA"], action: 0, label: "push left too" },
    { keys: ["KeyX", "KeyY"], action: 7, label: "" },
  ];
  expect(actionButtons({ ...discrete, keys })).toEqual([
    { action: 0, label: "push left", keys: ["ArrowLeft"], place: [1, 1] },
    { action: 1, label: "push right", keys: ["ArrowRight"], place: [2, 1] },
    { action: 7, label: "action 7", keys: ["KeyX", "KeyY"], place: null },
  ]);
  const up = [...discrete.keys, { keys: ["ArrowUp"], action: 2, label: "up" }];
  expect(actionButtons({ ...discrete, keys: up }).map(({ place }) => place)).toEqual([
    [1, 2],
    [3, 2],
    [2, 1],
  ]);
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
