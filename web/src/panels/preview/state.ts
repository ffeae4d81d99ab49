/** The state of an environment after a step, as lines of text of constant width. Pure. */

import type { FrameHeader } from "@/api/types";
import { NOTHING } from "@/lib/format";

const SHOWN = 12;

export function stateLines(header: FrameHeader): [string, string][] {
  const info = Object.entries(header.info ?? {});
  return [
    ["action", textOf(header.action)],
    ["observation", textOf(header.observation)],
    ...info.map(([name, value]): [string, string] => [name, textOf(value)]),
  ];
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
