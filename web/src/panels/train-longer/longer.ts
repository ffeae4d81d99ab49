/** What is typed in the dialog, as a request. Pure. */
import type { Longer, Speed } from "@/api/types";
import { formatDuration, formatNumber } from "@/lib/format";

export const UNITS = [
  { value: "steps", title: "steps", field: "more_timesteps" },
  { value: "minutes", title: "minutes", field: "more_seconds" },
  { value: "episodes", title: "episodes", field: "more_episodes" },
] as const;
export type Unit = (typeof UNITS)[number]["value"];

/** The choices of a run that counts steps, or updates. */
export const unitsOf = (counted: string) =>
  UNITS.map((one) => (one.value === "steps" ? { ...one, title: `${counted}s` } : one));

/** Null while what is typed is no amount. */
export function longerOf(typed: string, unit: Unit, inexact = false): Longer | null {
  const amount = Number(typed.replace(/[\s,_]/g, ""));
  const count = unit === "minutes" ? Math.round(amount * 60) : amount;
  if (typed.trim() === "" || !Number.isSafeInteger(count) || count < 1) return null;
  return { [UNITS.find(({ value }) => value === unit)!.field]: count, inexact };
}

/** "About 2 min at 1,500 steps/s."; empty where nothing is known. */
export function timeText(longer: Longer, speed: Speed | undefined, counted = "step"): string {
  if (!speed) return "";
  const perEpisode = speed.steps_per_episode;
  const steps =
    longer.more_timesteps ?? (longer.more_episodes && perEpisode ? longer.more_episodes * perEpisode : 0);
  const seconds = longer.more_seconds ?? steps / speed.steps_per_second;
  if (!seconds) return "";
  const how = speed.is_measured ? "measured on this machine" : "a rough figure";
  return `About ${formatDuration(seconds)} at ${formatNumber(speed.steps_per_second, 2)} ${counted}s/s, ${how}.`;
}
