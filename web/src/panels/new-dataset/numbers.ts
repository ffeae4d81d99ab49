/** Numbers as they are typed into fields. Pure. */

export type NumberKind = "any" | "count" | "share";

/** Null where nothing, or no number, was typed. */
export function numberOf(text: string): number | null {
  const typed = text.trim().replace(/^−/, "-");
  const value = Number(typed);
  return typed === "" || !Number.isFinite(value) ? null : value;
}

/** What is wrong with a typed number; undefined when nothing is, or nothing was typed. */
export function numberProblem(text: string, kind: NumberKind = "any"): string | undefined {
  if (text.trim() === "") return undefined;
  const value = numberOf(text);
  if (value === null) return "Type a number.";
  if (kind === "count" && (!Number.isInteger(value) || value < 1)) return "A whole number from 1 on.";
  if (kind === "share" && (value < 0 || value > 1)) return "A number from 0 to 1.";
  return undefined;
}
