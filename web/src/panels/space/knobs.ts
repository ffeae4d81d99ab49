/** The knobs of retention: their names, and how a typed value becomes a number. Pure. */
import type { Retention } from "@/api/types";

export interface Knob {
  name: keyof Retention;
  title: string;
  isBytes?: boolean;
}

export const KNOBS: readonly Knob[] = [
  { name: "videos", title: "Videos per run" },
  { name: "checkpoints", title: "Checkpoints per run" },
  { name: "tensorboard", title: "TensorBoard folders per run" },
  { name: "lab_bytes", title: "Total of all runs", isBytes: true },
];

const UNITS = ["B", "KB", "MB", "GB", "TB"];

export function knobText(knob: Knob, value: number): string {
  if (!knob.isBytes) return String(value);
  if (value === 0) return "no limit";
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(value) / 3));
  return `${Number((value / 1000 ** power).toPrecision(4))} ${UNITS[power]}`;
}

/** The typed number, null for the default, or the reason why the text is neither. */
export function parseKnob(knob: Knob, text: string): { value: number | null; problem: string | null } {
  const typed = text.trim();
  if (typed === "") return { value: null, problem: null };
  return knob.isBytes ? parseBytes(typed) : parseCount(typed);
}

function parseCount(typed: string) {
  const count = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  return count >= 1 && count <= 1000
    ? { value: count, problem: null }
    : { value: null, problem: "A number from 1 to 1000." };
}

function parseBytes(typed: string) {
  if (/^(no limit|none|0)$/i.test(typed)) return { value: 0, problem: null };
  const found = /^(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?$/i.exec(typed);
  if (!found) return { value: null, problem: "A size such as 20 GB, or “no limit”." };
  const power = ["", "k", "m", "g", "t"].indexOf(found[2]!.toLowerCase());
  return { value: Math.round(Number(found[1]) * 1000 ** power), problem: null };
}
