/** Reads a whole number as people type it: 300000, 300,000, 300 000, 300k, 1.5M, 1e6. */

import { formatCount } from "./format";

const FACTORS: Record<string, number> = { "": 1, k: 1e3, m: 1e6 };

/** Null for an empty text, NaN for text that is not a whole number. */
export function parseCount(text: string): number | null {
  const plain = text.replaceAll(/[\s,_'’]/g, "").toLowerCase();
  if (plain === "") return null;
  const [, digits, unit] = /^(\d+(?:\.\d+)?(?:e\+?\d+)?)([km]?)$/.exec(plain) ?? [];
  if (digits === undefined) return Number.NaN;
  // Rounded against the error of 1.1 × 1,000,000.
  const value = Number((Number(digits) * FACTORS[unit ?? ""]!).toPrecision(15));
  return Number.isInteger(value) ? value : Number.NaN;
}

/** A slider that moves by factors, between two counts; values have two significant digits. */
export function countScale(low: number, high: number) {
  const span = Math.log(high / low);
  const clamp = (position: number) => Math.min(1, Math.max(0, position));
  return {
    toValue: (position: number) => Number((low * Math.exp(clamp(position) * span)).toPrecision(2)),
    toPosition: (value: number) => clamp(Math.log(Math.max(value, low) / low) / span),
  };
}

export interface LimitedCount {
  /** null: nothing was typed, or something else than a number. */
  value: number | null;
  problem: string | null;
}

/** A typed number from 1 to `most`, or the reason why it is none; `or` is what else may be typed. */
export function parseCountUpTo(text: string, most: number, or = ""): LimitedCount {
  const value = parseCount(text);
  if (value === null || (value >= 1 && value <= most)) return { value, problem: null };
  return { value: null, problem: `A number from 1 to ${formatCount(most)}${or}.` };
}
