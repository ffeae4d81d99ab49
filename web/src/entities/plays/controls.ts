/** How an environment is played by hand, and how one changes it. Pure. */
import type { ActionAxis, KeyAction, PlayControls } from "@/api/types";
import { formatCount } from "@/lib/format";

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

/** Whether the numbers of an action can be steered, perhaps only some of them. */
export const isSteered = ({ kind, numbers }: Controls): boolean => kind === "continuous" || numbers > 0;

/** Whether keys can do something here, once a person has chosen them. */
export const takesKeys = (controls: Controls): boolean => controls.kind !== "none" || isSteered(controls);

/** The first keys that give this action; none when it has no keys. */
export const keysFor = (controls: Controls, action: number): string[] =>
  controls.keys.find((entry) => entry.action === action)?.keys ?? [];

export const labelOf = (entry: Required<KeyAction>): string => entry.label || actionName(entry);

/** "action 3"; of an action with several entries "entry 1 = 2". */
export const actionName = ({ action, entry }: Pick<Required<KeyAction>, "action" | "entry">): string =>
  entry === null ? `action ${action}` : `entry ${entry} = ${action}`;

/** What keys can do: an action, or a value of an entry. */
export type Choice = Pick<Required<KeyAction>, "action" | "entry">;

/** More choices than this are typed, not listed. */
export const MOST_LISTED = 100;

export const countChoices = ({ entries }: Controls): number =>
  entries.reduce((sum, { low, high }) => sum + high - low + 1, 0);

/** All that keys can do; empty where it is too much for a list. */
export function choicesOf(controls: Controls): Choice[] {
  if (countChoices(controls) > MOST_LISTED) return [];
  return controls.entries.flatMap(({ low, high }, n) =>
    Array.from({ length: high - low + 1 }, (_, i) => ({
      action: low + i,
      entry: controls.kind === "multi" ? n : null,
    })),
  );
}

const isSame = (a: Choice, b: Choice): boolean => a.action === b.action && a.entry === b.entry;

/** What happens by no key: it is typed, or never done by hand. Null where everything has keys, or nothing is known. */
export function unkeyedText(controls: Controls): string | null {
  const all = countChoices(controls);
  const rests = controls.kind === "multi" ? controls.rests.length : controls.rest === null ? 0 : 1;
  const done = controls.keys.filter((one, i) => controls.keys.findIndex((other) => isSame(other, one)) === i);
  const isResting = (one: Choice) =>
    one.action === (one.entry === null ? controls.rest : controls.rests[one.entry]);
  const left = all - rests - done.filter((one) => !isResting(one)).length;
  if (all === 0 || left <= 0) return null;
  return controls.kind === "multi"
    ? `${formatCount(left)} of its values have no keys.`
    : `${formatCount(left)} of its ${formatCount(all)} actions have no keys: type their number.`;
}

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

export const withAction = (controls: Controls, { action, entry }: Choice, label: string): Controls => ({
  ...controls,
  keys: [...controls.keys, { action, entry, label, keys: [] }],
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
