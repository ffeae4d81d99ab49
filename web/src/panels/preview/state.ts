/** The state of an environment after a step, as lines of text of constant width. Pure. */

import type { FrameHeader } from "@/api/types";
import { NOTHING } from "@/lib/format";

const SHOWN = 12;

/** What the numbers of an environment's spaces are called. */
export interface SpaceNames {
  observation_names: readonly string[];
  action_names: readonly string[];
}

const NO_NAMES: SpaceNames = { observation_names: [], action_names: [] };

export function stateLines(header: FrameHeader, names: SpaceNames = NO_NAMES): [string, string][] {
  const info = Object.entries(header.info ?? {});
  const { action } = header;
  const chosen = typeof action === "number" ? names.action_names[action] : undefined;
  return [
    ...(chosen
      ? [["action", `${chosen} (${action})`] as [string, string]]
      : linesOf("action", action, names.action_names)),
    ...linesOf("observation", header.observation, names.observation_names),
    ...info.map(([name, value]): [string, string] => [name, textOf(value)]),
  ];
}

/** One line per number where each has a name; an environment's options can change how many there are. */
function linesOf(title: string, value: unknown, names: readonly string[]): [string, string][] {
  const values = Array.isArray(value) ? value : [value];
  if (names.length !== values.length) return [[title, textOf(value)]];
  return values.map((item, i) => [names[i]!, textOf(item)]);
}

/** Numbers with room for a sign and three decimals, so that they do not move; long lists are cut and counted. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return NOTHING;
  if (typeof value === "number") return numberText(value);
  if (Array.isArray(value)) {
    const shown = value.slice(0, SHOWN).map(textOf).join("  ");
    return value.length > SHOWN ? `${shown}  … ${value.length} in all` : shown;
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function numberText(value: number): string {
  if (Number.isInteger(value)) return String(value).replace("-", "−");
  const text = Math.abs(value) >= 1e5 ? value.toExponential(2) : value.toFixed(3);
  return value < 0 ? text.replace("-", "−") : `\u2007${text}`;
}
