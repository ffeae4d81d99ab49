/** How an environment is played by hand, and how one changes it. Pure. */
import type { ActionAxis, KeyAction, PlayControls } from "@/api/types";

/** As the lab returns them: with every field. */
export interface Controls extends Required<Omit<PlayControls, "keys" | "axes">> {
  keys: Required<KeyAction>[];
  axes: Required<ActionAxis>[];
}

/** Every key that does something. */
export const codesOf = (controls: Controls): Set<string> =>
  new Set([
    ...controls.keys.flatMap(({ keys }) => keys),
    ...controls.axes.flatMap(({ minus, plus }) => [...minus, ...plus]),
  ]);

/** The first keys that give this action; none when it has no keys. */
export const keysFor = (controls: Controls, action: number): string[] =>
  controls.keys.find((entry) => entry.action === action)?.keys ?? [];

export const labelOf = ({ label, action }: Required<KeyAction>): string => label || `action ${action}`;

export const axisLabel = ({ label, index }: Required<ActionAxis>): string => label || `axis ${index}`;

export type Side = "minus" | "plus";

export const withKeys = (controls: Controls, at: number, keys: string[]): Controls => ({
  ...controls,
  keys: controls.keys.map((entry, i) => (i === at ? { ...entry, keys } : entry)),
});

export const withLabel = (controls: Controls, at: number, label: string): Controls => ({
  ...controls,
  keys: controls.keys.map((entry, i) => (i === at ? { ...entry, label } : entry)),
});

export const withoutKeys = (controls: Controls, at: number): Controls => ({
  ...controls,
  keys: controls.keys.filter((_, i) => i !== at),
});

export const withAction = (controls: Controls, action: number, label: string): Controls => ({
  ...controls,
  keys: [...controls.keys, { action, label, keys: [] }],
});

export const withAxis = (
  controls: Controls,
  index: number,
  change: Partial<Required<ActionAxis>>,
): Controls => ({
  ...controls,
  axes: controls.axes.map((axis) => (axis.index === index ? { ...axis, ...change } : axis)),
});

/** Why these controls cannot be saved, one sentence each; `key` names the keys that two actions share. */
export function conflictsOf(controls: Controls): string[] {
  return controls.kind === "continuous" ? axisConflicts(controls) : actionConflicts(controls);
}

function actionConflicts({ keys }: Controls): string[] {
  const owners = new Map<string, Required<KeyAction>>();
  return keys.flatMap((entry) => {
    if (entry.keys.length === 0) return [`“${labelOf(entry)}” has no key.`];
    const chord = [...entry.keys].sort().join(" ");
    const owner = owners.get(chord);
    owners.set(chord, owner ?? entry);
    if (!owner) return [];
    return [
      `${entry.keys.map(keyLabel).join(" + ")} is used twice: “${labelOf(owner)}” and “${labelOf(entry)}”.`,
    ];
  });
}

function axisConflicts({ axes }: Controls): string[] {
  const owners = new Map<string, string>();
  const uses = axes.flatMap((axis) =>
    (["minus", "plus"] as const).flatMap((side) => axis[side].map((code) => ({ axis, side, code }))),
  );
  return uses.flatMap(({ axis, side, code }) => {
    const here = `${axisLabel(axis)} ${side === "minus" ? "−" : "+"}`;
    const owner = owners.get(code);
    owners.set(code, owner ?? here);
    return owner ? [`${keyLabel(code)} is used twice: “${owner}” and “${here}”.`] : [];
  });
}

const NAMES: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Space: "Space",
  ShiftLeft: "Left Shift",
  ShiftRight: "Right Shift",
  ControlLeft: "Left Ctrl",
  ControlRight: "Right Ctrl",
  Minus: "-",
  Equal: "=",
  Comma: ",",
  Period: ".",
  Slash: "/",
  Semicolon: ";",
  Quote: "'",
  BracketLeft: "[",
  BracketRight: "]",
  Backquote: "`",
  Backslash: "\\",
};

/** "KeyA" → "A", "Digit1" → "1", "ArrowLeft" → "←": as a US keyboard prints them. */
export const keyLabel = (code: string): string =>
  NAMES[code] ?? code.replace(/^(Key|Digit)(?=.$)/, "").replace(/^Numpad/, "Num ");
