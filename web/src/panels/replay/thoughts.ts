/** From a moment's columns to the bars and texts of the step panel. Pure. */
import { formatNumber, formatPercent } from "@/lib/format";
import type { Moment } from "./messages";

export interface Bar {
  label: string;
  value: number;
  text: string;
  /** −1 … 1; of the widest bar, or of certainty for probabilities. */
  share: number;
  isChosen: boolean;
}

export interface BarGroup {
  title: string;
  /** What the numbers mean. */
  help: string;
  bars: Bar[];
}

const PROBABILITIES = {
  title: "Probability of each action",
  help: "How likely the policy is to choose each action now.",
};
const KNOWN: Record<string, { title: string; help: string }> = {
  probabilities: PROBABILITIES,
  probs: PROBABILITIES,
  q_values: {
    title: "Q-value of each action",
    help: "The return the agent expects after each action; it takes the highest.",
  },
};
/** What a moment always has; every other list of numbers is an output of the policy. */
const OWN = new Set(["observation", "action", "next_action", "info"]);

export function thoughtsOf(moment: Moment, actionNames: readonly string[] = []): BarGroup[] {
  const groups = Object.entries(moment).flatMap(([name, column]) => {
    if (OWN.has(name) || !isNumbers(column)) return [];
    const known = KNOWN[name] ?? { title: name.replaceAll("_", " "), help: "An output of the policy." };
    const isShare = known === PROBABILITIES;
    const bars = barsOf(column, actionNames, moment.next_action, isShare);
    return [{ ...known, bars }];
  });
  const hasAll = groups.some((group) => group.title === PROBABILITIES.title);
  return hasAll ? groups : [...chosenOnly(moment, actionNames), ...groups];
}

/** A training records only the probability of the action it chose; what is left belongs to the others. */
function chosenOnly({ next_action, chosen_probability }: Moment, names: readonly string[]): BarGroup[] {
  if (typeof next_action !== "number" || typeof chosen_probability !== "number") return [];
  const other = names.length === 2 ? names[1 - next_action]! : "all other actions";
  const shares = [
    { label: names[next_action] ?? String(next_action), value: chosen_probability, isChosen: true },
    { label: other, value: 1 - chosen_probability, isChosen: false },
  ];
  const bars = shares.map((bar) => ({ ...bar, text: formatPercent(bar.value), share: bar.value }));
  return [{ ...PROBABILITIES, title: "Probability of the next action", bars }];
}

export function observationBars(observation: unknown, names: readonly string[] = []): Bar[] | null {
  return isNumbers(observation) ? barsOf(observation, names, null) : null;
}

/** The numbers of a continuous action, by name. */
export function actionBars(action: unknown, names: readonly string[] = []): Bar[] | null {
  return isNumbers(action) && action.length > 1 ? barsOf(action, names, null) : null;
}

/** Options of an environment can change its spaces: names are used only where their number fits. */
const labelsOf = (names: readonly string[], count: number): ((i: number) => string) =>
  names.length === count ? (i) => names[i]! : String;

function barsOf(
  column: readonly number[],
  names: readonly string[],
  chosen: unknown,
  isShare = false,
): Bar[] {
  const label = labelsOf(names, column.length);
  const widest = isShare ? 1 : Math.max(1e-9, ...column.map(Math.abs));
  return column.map((value, i) => ({
    label: label(i),
    value,
    text: isShare ? formatPercent(value) : formatNumber(value, 3),
    share: value / widest,
    isChosen: chosen === i,
  }));
}

/** "push right (1)" for a discrete action, "main engine 0.4, side engines −1" for a continuous one. */
export function actionText(action: unknown, names: readonly string[] = []): string {
  if (typeof action === "number" && names[action]) return `${names[action]} (${action})`;
  if (isNumbers(action) && action.length === names.length)
    return action.map((value, i) => `${names[i]} ${formatNumber(value, 3)}`).join(", ");
  return shortText(action);
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
