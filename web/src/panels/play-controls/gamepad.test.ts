import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { continuous, discrete } from "./examples";
import { gripOf, listenToGamepads, type Pad } from "./gamepad";
import { Hands, type HeldNow } from "./hands";

const padWith = (axes: number[], pressed: number[] = []): Pad => ({
  axes,
  buttons: Array.from({ length: 16 }, (_, i) => ({ pressed: pressed.includes(i) }) as GamepadButton),
});

test("directions and stick press the arrow keys that the environment uses", () => {
  expect(gripOf(padWith([0, 0], [14]), discrete)).toEqual({ keys: ["ArrowLeft"], axes: {} });
  expect(gripOf(padWith([0.9, -0.9]), discrete)).toEqual({ keys: ["ArrowRight"], axes: {} });
  expect(gripOf(padWith([0.1, 0]), discrete)).toBeNull();
});

test("buttons that the controls name press the keys of their action", () => {
  const named = { ...discrete, buttons: [1, -1] };
  expect(gripOf(padWith([], [0]), named)?.keys).toEqual(["ArrowRight"]);
  expect(gripOf(padWith([], [1]), named)).toBeNull();
  expect(gripOf(padWith([], [0, 14]), named)?.keys).toEqual(["ArrowRight", "ArrowLeft"]);
});

test("an axis moves beyond its dead zone, up to its stop", () => {
  expect(gripOf(padWith([1]), continuous)?.axes).toEqual({ 0: 1 });
  expect(gripOf(padWith([-0.575]), continuous)?.axes).toEqual({ 0: -0.5 });
  expect(gripOf(padWith([0.14]), continuous)).toBeNull();
});

let frames: FrameRequestCallback[] = [];
let pads: (Gamepad | null)[] = [];
beforeEach(() => {
  frames = [];
  pads = [];
  vi.spyOn(window, "requestAnimationFrame").mockImplementation((run) => frames.push(run));
  vi.spyOn(document, "hasFocus").mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test("it is read only while it is plugged in, and everything is released when it is not", () => {
  const sent: HeldNow[] = [];
  const onUnplugged = vi.fn();
  const stop = listenToGamepads({
    hands: new Hands((held) => void sent.push(held)),
    controls: () => continuous,
    onUnplugged,
    pads: () => pads,
  });
  expect(frames).toHaveLength(0);
  pads = [padWith([1]) as Gamepad];
  window.dispatchEvent(new Event("gamepadconnected"));
  frames.shift()!(0);
  expect(sent.at(-1)?.axes).toEqual({ 0: 1 });
  pads = [null];
  window.dispatchEvent(new Event("gamepaddisconnected"));
  expect(sent.at(-1)?.axes).toEqual({});
  expect(onUnplugged).toHaveBeenCalledOnce();
  stop();
});
