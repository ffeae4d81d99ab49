/** Intervals of mean returns, and how they are written: with the share of such intervals that contain the true mean. Pure. */
import type { EvaluationSummary } from "@/api/types";
import { formatNumber, formatPercent } from "@/lib/format";

/** As in `core/intervals.py`, which decides about levels. */
export const LEAST_VALUES = 5;
const USUAL_LEVEL = 0.95;

export const TOO_FEW = `too few for an interval: ${LEAST_VALUES} needed`;

/** Values without any spread say nothing about how far the true mean may be from theirs. */
const ALL_EQUAL = "all values are equal";

type Ends = readonly (number | null)[] | null | undefined;
type Level = number | null | undefined;
type Format = (value: number | null | undefined) => string;

const short: Format = (value) => formatNumber(value, 4);

/** Both ends of the interval; without one, the mean itself. */
export function intervalOf({ return_ci, return_mean }: EvaluationSummary): [number, number] {
  return [return_ci[0] ?? return_mean, return_ci[1] ?? return_mean];
}

/** "95 %", "about 90 %" */
export const levelText = (level: number): string =>
  `${level < USUAL_LEVEL ? "about " : ""}${formatPercent(level)}`;

/** "95 % between 3 and 5", or why there is no interval. */
export function betweenText(ends: Ends, level: Level, format: Format = short): string {
  if (!ends || !level) return TOO_FEW;
  return ends[0] === ends[1]
    ? ALL_EQUAL
    : `${levelText(level)} between ${format(ends[0])} and ${format(ends[1])}`;
}

/** "3 … 5 (95 %)": the same for the cell of a table. */
export function rangeText(ends: Ends, level: Level): string {
  if (!ends || !level) return TOO_FEW;
  return ends[0] === ends[1] ? ALL_EQUAL : `${short(ends[0])} … ${short(ends[1])} (${levelText(level)})`;
}

/** Whether two ends are an interval: there are both, and values between them. */
export const hasSpread = (ends: Ends): boolean => ends?.[0] != null && ends[0] !== ends[1];

/** Whether there is an interval to show. */
export const hasInterval = ({ return_ci, return_ci_level }: EvaluationSummary): boolean =>
  Boolean(return_ci_level) && return_ci[0] !== return_ci[1];
