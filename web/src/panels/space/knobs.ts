/** The knobs of retention: their names, and how a typed value becomes a number. Pure. */
import type { Retention } from "@/api/types";
import { type LimitedCount, parseCountUpTo } from "@/lib/count";

export interface Knob {
  name: keyof Retention;
  title: string;
  isBytes?: boolean;
  /** What 0 means; without it, the smallest value is 1. */
  zero?: string;
  /** The greatest count; 1000 unless given. */
  most?: number;
}

export const KNOBS: readonly Knob[] = [
  { name: "videos", title: "Videos per run" },
  { name: "checkpoints", title: "Checkpoints per run" },
  { name: "tensorboard", title: "TensorBoard folders per run" },
  { name: "lab_bytes", title: "Total of runs and models", isBytes: true, zero: "no limit" },
  { name: "log_bytes", title: "Logs per run", isBytes: true },
  { name: "archive_after_days", title: "Archive after days", zero: "never", most: 36_500 },
  { name: "runs_per_algorithm", title: "Runs per algorithm", zero: "no limit", most: 1_000_000 },
];

const UNITS = ["B", "KB", "MB", "GB", "TB"];

export function knobText(knob: Knob, value: number): string {
  if (value === 0 && knob.zero) return knob.zero;
  if (!knob.isBytes) return String(value);
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(value) / 3));
  return `${Number((value / 1000 ** power).toPrecision(4))} ${UNITS[power]}`;
}

/** The typed number, null for the default, or the reason why the text is neither. */
export function parseKnob(knob: Knob, text: string): LimitedCount {
  const typed = text.trim();
  if (typed === "") return { value: null, problem: null };
  if (knob.zero && /^(no limit|never|none|0)$/i.test(typed)) return { value: 0, problem: null };
  return knob.isBytes
    ? parseBytes(typed, knob.zero)
    : parseCountUpTo(typed, knob.most ?? 1000, orZero(knob.zero));
}

const orZero = (zero?: string): string => (zero ? `, or “${zero}”` : "");

function parseBytes(typed: string, zero?: string) {
  const found = /^(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?$/i.exec(typed);
  if (!found) return { value: null, problem: `A size such as 20 GB${orZero(zero)}.` };
  const power = ["", "k", "m", "g", "t"].indexOf(found[2]!.toLowerCase());
  return { value: Math.round(Number(found[1]) * 1000 ** power), problem: null };
}
