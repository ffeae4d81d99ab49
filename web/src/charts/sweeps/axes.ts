/** An axis of a sweep's charts: a range of numbers, or a list of values. Pure. */
import { formatSetting, NOTHING } from "@/lib/format";

export interface SweepAxis {
  name: string;
  /** In plain words: "Learning rate". */
  title: string;
  is_log: boolean;
  low: number;
  high: number;
  /** The values at the places 0, 1, …; null or absent: numbers from `low` to `high`. */
  choices?: readonly unknown[] | null;
}

/** Where a place is between the two ends, from 0 to 1; on a logarithmic axis by its logarithm. */
export function shareOf(axis: SweepAxis, place: number): number {
  if (axis.high <= axis.low) return 0.5;
  if (axis.is_log && axis.low > 0) return Math.log(place / axis.low) / Math.log(axis.high / axis.low);
  return (place - axis.low) / (axis.high - axis.low);
}

/** The reverse of `shareOf`. */
export function placeAt(axis: SweepAxis, share: number): number {
  if (axis.is_log && axis.low > 0 && axis.high > axis.low) return axis.low * (axis.high / axis.low) ** share;
  return axis.low + share * (axis.high - axis.low);
}

export interface Tick {
  share: number;
  text: string;
}

const MOST_TICKS = 8;

export function ticksOf(axis: SweepAxis): Tick[] {
  if (axis.choices) {
    const every = Math.ceil(axis.choices.length / MOST_TICKS);
    return axis.choices.flatMap((choice, i) =>
      i % every === 0 ? [{ share: shareOf(axis, i), text: choiceText(choice) }] : [],
    );
  }
  if (axis.high <= axis.low) return [{ share: 0.5, text: placeText(axis, axis.low) }];
  return [0, 0.25, 0.5, 0.75, 1].map((share) => ({ share, text: placeText(axis, placeAt(axis, share)) }));
}

/** A place as the value that a person wrote. */
export function placeText(axis: SweepAxis, place: number): string {
  if (axis.choices) return choiceText(axis.choices[Math.round(place)]);
  return formatSetting(Number(place.toPrecision(3)));
}

function choiceText(choice: unknown): string {
  if (choice === undefined || choice === null) return NOTHING;
  if (typeof choice === "number") return formatSetting(choice);
  return Array.isArray(choice) ? choice.join("×") : String(choice);
}

/** Lowest and highest of the numbers, a little apart when they are equal. */
export function extentOf(values: readonly number[]): [low: number, high: number] {
  if (values.length === 0) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}
