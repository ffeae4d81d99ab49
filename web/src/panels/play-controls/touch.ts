/** The controls on the screen, laid out from what an environment understands. Pure. */
import type { ActionAxis } from "@/api/types";
import { actionName, axisLabel, type Controls, labelOf } from "@/entities/plays/controls";

export interface ActionButton {
  /** Differs between all buttons; a label may not. */
  id: string;
  action: number;
  label: string;
  /** Empty: a tap is one step with this action. */
  keys: string[];
  /** Column and row in the cross of arrows; null: next to it. */
  place: readonly [column: number, row: number] | null;
}

export type AxisControl =
  /** Two axes in one: left and right, down and up. */
  | { kind: "stick"; label: string; x: number; y: number }
  /** One axis that springs back to the middle. */
  | { kind: "slider"; label: string; axis: number }
  /** One that only goes one way, such as gas. */
  | { kind: "pedal"; label: string; axis: number };

const CROSS: Record<string, readonly [number, number]> = {
  ArrowUp: [2, 1],
  ArrowLeft: [1, 2],
  ArrowDown: [2, 2],
  ArrowRight: [3, 2],
};
/** Where there is neither up nor down. */
const ROW: typeof CROSS = { ArrowLeft: [1, 1], ArrowRight: [2, 1] };

/** One button per action or value of an entry, in the order of their keys. Only an action of one number acts without keys. */
export function actionButtons(controls: Controls): ActionButton[] {
  const seen = new Set<string>();
  const singles = controls.keys.flatMap(({ keys }) => (keys.length === 1 ? keys : []));
  const places = singles.includes("ArrowUp") || singles.includes("ArrowDown") ? CROSS : ROW;
  return controls.keys.flatMap((entry) => {
    const name = actionName(entry);
    if (seen.has(name) || (entry.entry !== null && entry.keys.length === 0)) return [];
    seen.add(name);
    // An arrow has a place, wherever else the action has keys.
    const own = controls.keys.filter((other) => actionName(other) === name);
    const { keys, ...shown } = own.find((one) => one.keys.length === 1 && one.keys[0]! in places) ?? entry;
    const place = keys.length === 1 ? (places[keys[0]!] ?? null) : null;
    return [{ id: name, action: entry.action, label: labelOf({ ...shown, keys }), keys, place }];
  });
}

const isOneWay = ({ low, rest }: Required<ActionAxis>): boolean => rest <= low;

export function axisControls({ axes }: Controls): AxisControl[] {
  const [first, second] = axes;
  if (axes.length === 2 && !isOneWay(first!) && !isOneWay(second!)) {
    const isUpright = leanOf(first!)?.along === "y" || leanOf(second!)?.along === "x";
    return [
      {
        kind: "stick",
        label: `${axisLabel(first!)} and ${axisLabel(second!)}`,
        x: (isUpright ? second! : first!).index,
        y: (isUpright ? first! : second!).index,
      },
    ];
  }
  return axes.map((axis) => ({
    kind: isOneWay(axis) ? "pedal" : "slider",
    label: axisLabel(axis),
    axis: axis.index,
  }));
}

export interface Lean {
  along: "x" | "y";
  /** 1: more of it is to the right or up. */
  sign: 1 | -1;
}

/** Which way an axis goes on the screen, by its arrow keys; null: it has none. */
export function leanOf({ minus, plus }: Pick<Required<ActionAxis>, "minus" | "plus">): Lean | null {
  const goes = (more: string, less: string) => plus.includes(more) || minus.includes(less);
  if (goes("ArrowRight", "ArrowLeft")) return { along: "x", sign: 1 };
  if (goes("ArrowLeft", "ArrowRight")) return { along: "x", sign: -1 };
  if (goes("ArrowUp", "ArrowDown")) return { along: "y", sign: 1 };
  return goes("ArrowDown", "ArrowUp") ? { along: "y", sign: -1 } : null;
}

/** What the mouse does with an axis: what its controls name, else the way of its arrow keys. */
const byMouse = (axis: Required<ActionAxis>): Lean | null =>
  axis.mouse ? { along: axis.mouse, sign: 1 } : leanOf(axis);

/** The axes that the mouse steers where it is switched on; one that goes one way has half of the picture. */
export function mouseAxes(controls: Controls, point: { x: number; y: number }): Record<number, number> {
  const moved = controls.axes.flatMap((axis) => {
    const lean = byMouse(axis);
    if (lean === null) return [];
    const value = point[lean.along] * lean.sign + 0;
    return [[axis.index, isOneWay(axis) ? Math.max(0, value) : value] as const];
  });
  return Object.fromEntries(moved);
}

/** "left and right: steering, up: gas"; empty where the mouse steers nothing. */
export function mouseText({ axes }: Controls): string {
  const parts = axes.flatMap((axis) => {
    const lean = byMouse(axis);
    if (lean === null) return [];
    const [less, more] = lean.along === "x" ? ["left", "right"] : ["down", "up"];
    const way = !isOneWay(axis) ? `${less} and ${more}` : lean.sign > 0 ? more : less;
    return [`${way}: ${axisLabel(axis)}`];
  });
  return parts.join(", ");
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Where a pointer is in a box: −1 … 1 to the right and upwards, in hundredths. */
export function pointIn(box: Box, clientX: number, clientY: number): { x: number; y: number } {
  const share = (at: number, from: number, size: number) =>
    Math.max(-1, Math.min(1, Math.round((((at - from) / Math.max(1, size)) * 2 - 1) * 100) / 100));
  // Minus zero is a number of its own in JSON and in comparisons.
  return { x: share(clientX, box.left, box.width) + 0, y: -share(clientY, box.top, box.height) + 0 };
}

/** The axes that a pointer on the picture moves. */
export function pointerAxes(controls: Controls, point: { x: number; y: number }): Record<number, number> {
  const moved = controls.axes.flatMap(({ index, mouse }) => (mouse ? [[index, point[mouse]] as const] : []));
  return Object.fromEntries(moved);
}
