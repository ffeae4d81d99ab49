/** Controls for tests: CartPole by two keys, Pendulum by one axis, a car by three. */
import type { Controls } from "@/entities/plays/controls";

const NONE = {
  source: "lab",
  rest: null,
  keys: [],
  entries: [],
  rests: [],
  axes: [],
  numbers: 0,
  buttons: [],
  problem: "",
} satisfies Omit<Controls, "kind">;

export const discrete: Controls = {
  ...NONE,
  kind: "discrete",
  rest: 0,
  axes: [],
  buttons: [],
  keys: [
    { keys: ["ArrowLeft"], action: 0, entry: null, label: "push left" },
    { keys: ["ArrowRight"], action: 1, entry: null, label: "push right" },
  ],
  entries: [{ low: 0, high: 1 }],
};

/** Two buttons, and a stick with three places. */
export const multi: Controls = {
  ...NONE,
  kind: "multi",
  keys: [
    { keys: ["Digit1"], entry: 0, action: 1, label: "bit 0" },
    { keys: ["Digit2"], entry: 2, action: 1, label: "" },
    { keys: ["Digit3"], entry: 2, action: 2, label: "" },
  ],
  entries: [
    { low: 0, high: 1 },
    { low: 0, high: 1 },
    { low: 0, high: 2 },
  ],
  rests: [0, 0, 0],
};

/** More actions than keys. */
export const many: Controls = { ...NONE, kind: "discrete", entries: [{ low: 0, high: 499 }] };

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
  numbers: 1,
  keys: [],
  buttons: [],
  axes: [{ ...axis(0, "torque"), minus: ["ArrowLeft"], plus: ["ArrowRight"], mouse: "x", gamepad: 0 }],
};

export const car: Controls = {
  ...continuous,
  numbers: 3,
  axes: [axis(0, "steer"), axis(1, "gas", 0), axis(2, "brake", 0)],
};

export const twoAxes: Controls = {
  ...continuous,
  numbers: 2,
  axes: [axis(0, "main engine"), axis(1, "side engines")],
};
