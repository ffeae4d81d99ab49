/** Controls for tests: CartPole by two keys, Pendulum by one axis, a car by three. */
import type { Controls } from "@/entities/plays/controls";

const NONE = { source: "lab", rest: null, keys: [], axes: [], buttons: [], problem: "" } as const;

export const discrete: Controls = {
  ...NONE,
  kind: "discrete",
  rest: 0,
  axes: [],
  buttons: [],
  keys: [
    { keys: ["ArrowLeft"], action: 0, label: "push left" },
    { keys: ["ArrowRight"], action: 1, label: "push right" },
  ],
};

const axis = (index: number, label: string, low = -1): Controls["axes"][number] => ({
  index,
  label,
  low,
  high: 1,
  rest: 0,
  minus: [],
  plus: [],
  rise_s: 0.15,
  fall_s: 0.1,
  mouse: null,
  gamepad: null,
});

export const continuous: Controls = {
  ...NONE,
  kind: "continuous",
  keys: [],
  buttons: [],
  axes: [{ ...axis(0, "torque"), minus: ["ArrowLeft"], plus: ["ArrowRight"], mouse: "x", gamepad: 0 }],
};

export const car: Controls = {
  ...continuous,
  axes: [axis(0, "steer"), axis(1, "gas", 0), axis(2, "brake", 0)],
};

export const twoAxes: Controls = { ...continuous, axes: [axis(0, "main engine"), axis(1, "side engines")] };
