/** Converts typed text to a value and back, and checks it. The server validates again. */
import { formatNumber } from "@/lib/format";
import type { Field, Values } from "./fields";

/** What the text box shows. */
export function textOf(field: Field, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (isList(field) && Array.isArray(value)) return value.join(", ");
  if (typeof value === "number" && value !== 0 && Math.abs(value) < 1e-3)
    return value.toExponential().replace("e+", "e");
  return String(value);
}

/** The value of a typed text; text that is not a value stays text, which `problemOf` reports. */
export function parseText(field: Field, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "" && field.nullable) return null;
  if (isList(field)) return listOf(field, trimmed);
  if (field.kind !== "integer" && field.kind !== "number") return text;
  const plain = trimmed.replaceAll(/[ _']/g, "").replace("−", "-");
  const value = Number(plain);
  return plain === "" || Number.isNaN(value) ? text : value;
}

const isList = ({ kind }: Field): boolean => kind === "integers" || kind === "numbers";

function listOf(field: Field, text: string): unknown {
  const parts = text
    .replaceAll(/[[\]]/g, "")
    .replaceAll("−", "-")
    .split(/[\s,;]+/)
    .filter(Boolean);
  const values = parts.map(Number);
  const isValid = field.kind === "integers" ? Number.isInteger : Number.isFinite;
  return values.every((value) => isValid(value)) ? values : text;
}

export function problemOf(field: Field, value: unknown): string | null {
  if (value === null) return field.nullable ? null : "A value is needed.";
  if (field.kind === "boolean" || field.kind === "text") return null;
  if (field.kind === "choice")
    return field.choices.includes(String(value)) ? null : `Choose one of ${field.choices.join(", ")}.`;
  if (isList(field)) return listProblem(field, value);
  if (typeof value !== "number") return "This is not a number.";
  if (field.kind === "integer" && !Number.isInteger(value)) return "A whole number is needed.";
  return isInside(field, value) ? null : `Must be ${boundsOf(field)}.`;
}

function listProblem(field: Field, value: unknown): string | null {
  if (!Array.isArray(value))
    return field.kind === "integers"
      ? "Whole numbers separated by commas are needed, such as 64, 64."
      : "Numbers separated by commas are needed, such as 0.5, -1.2.";
  if (field.maxItems !== undefined && value.length > field.maxItems)
    return `At most ${field.maxItems} numbers.`;
  return value.every((one) => isInside(field, one)) ? null : `Each number must be ${boundsOf(field)}.`;
}

export function isInside(field: Field, value: number): boolean {
  const { min = -Infinity, max = Infinity } = field;
  return (field.isMinOpen ? value > min : value >= min) && (field.isMaxOpen ? value < max : value <= max);
}

/** The bounds as text: "above 0 and at most 1". */
export function boundsOf(field: Field): string {
  const low =
    field.min === undefined ? "" : `${field.isMinOpen ? "above" : "at least"} ${formatNumber(field.min, 6)}`;
  const high =
    field.max === undefined ? "" : `${field.isMaxOpen ? "below" : "at most"} ${formatNumber(field.max, 6)}`;
  return [low, high].filter(Boolean).join(" and ");
}

/** The slider works on 0…1; logarithmic fields move by factors. Null where a slider makes no sense. */
export function sliderScale(
  field: Field,
): { toValue: (position: number) => number; toPosition: (value: number) => number } | null {
  if (
    field.min === undefined ||
    field.max === undefined ||
    (field.kind !== "number" && field.kind !== "integer")
  )
    return null;
  const round = (value: number) =>
    field.kind === "integer" ? Math.round(value) : Number(value.toPrecision(3));
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const { max } = field;
  // A log scale has no zero: it ends six decades below the upper bound.
  const min = field.isLog && field.min <= 0 ? max / 1e6 : field.min;
  if (field.isLog) {
    const decades = Math.log(max / min);
    return {
      toValue: (position) => round(min * Math.exp(position * decades)),
      toPosition: (value) => clamp(Math.log(Math.max(value, min) / min) / decades),
    };
  }
  return {
    toValue: (position) => round(min + position * (max - min)),
    toPosition: (value) => clamp((value - min) / (max - min)),
  };
}

/** The values that differ from the base: all a request needs to contain. */
export function changesFrom(base: Values, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(value, base[name])));
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
