/** From a moment's columns to the bars of the step panel. Pure. */
import { formatNumber } from "@/lib/format";
import type { Moment } from "./messages";

export interface Bar {
  label: string;
  value: number;
  /** −1 … 1 of the widest bar; from zero. */
  share: number;
  isChosen: boolean;
}

export interface BarGroup {
  title: string;
  bars: Bar[];
}

const TITLES: Record<string, string> = {
  probabilities: "Probabilities",
  probs: "Probabilities",
  q_values: "Q-values",
};
/** What a moment always has; every other list of numbers is an output of the policy. */
const OWN = new Set(["observation", "action", "next_action", "info"]);

export function thoughtsOf(moment: Moment, actionNames: readonly string[] = []): BarGroup[] {
  return Object.entries(moment).flatMap(([name, column]) => {
    if (OWN.has(name) || !isNumbers(column)) return [];
    const title = TITLES[name] ?? name.replaceAll("_", " ");
    return [{ title, bars: barsOf(column, (i) => actionNames[i] ?? String(i), moment.next_action) }];
  });
}

export function observationBars(observation: unknown): Bar[] | null {
  return isNumbers(observation) ? barsOf(observation, String, null) : null;
}

function barsOf(column: readonly number[], label: (i: number) => string, chosen: unknown): Bar[] {
  const widest = Math.max(1e-9, ...column.map(Math.abs));
  return column.map((value, i) => ({
    label: label(i),
    value,
    share: value / widest,
    isChosen: chosen === i,
  }));
}

/** Any value of a space in one line. */
export function shortText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return formatNumber(value, 4);
  if (Array.isArray(value)) return `[${value.map(shortText).join(", ")}]`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "number");
