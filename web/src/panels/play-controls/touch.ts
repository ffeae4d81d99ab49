/** The controls on the screen, laid out from what an environment understands. Pure. */
import type { ActionAxis } from "@/api/types";
import { axisLabel, type Controls, labelOf } from "@/entities/plays/controls";

export interface ActionButton {
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

/** One button per action, in the order of the actions' keys. */
export function actionButtons(controls: Controls): ActionButton[] {
  const seen = new Set<number>();
  const singles = controls.keys.flatMap(({ keys }) => (keys.length === 1 ? keys : []));
  const places = singles.includes("ArrowUp") || singles.includes("ArrowDown") ? CROSS : ROW;
  return controls.keys.flatMap((entry) => {
    if (seen.has(entry.action)) return [];
    seen.add(entry.action);
    const place = entry.keys.length === 1 ? (places[entry.keys[0]!] ?? null) : null;
    return [{ action: entry.action, label: labelOf(entry), keys: entry.keys, place }];
  });
}

const isOneWay = ({ low, rest }: Required<ActionAxis>): boolean => rest <= low;

export function axisControls({ axes }: Controls): AxisControl[] {
  const [first, second] = axes;
  if (axes.length === 2 && !isOneWay(first!) && !isOneWay(second!))
    return [
      {
        kind: "stick",
        label: `${axisLabel(first!)} and ${axisLabel(second!)}`,
        x: first!.index,
        y: second!.index,
      },
    ];
  return axes.map((axis) => ({
    kind: isOneWay(axis) ? "pedal" : "slider",
    label: axisLabel(axis),
    axis: axis.index,
  }));
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
