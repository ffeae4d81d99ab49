/** When the next run ends: steps, time, episodes; and about how long that is. Pure. */
import type { NewRun, Speed } from "@/api/types";
import { formatCount, formatDuration, formatNumber, formatPlural } from "@/lib/format";
import { DEFAULT_TIMESTEPS, type Draft, SOLVED, UNTIL } from "./draft";

export const MAX_SECONDS = "max_seconds" satisfies keyof NewRun;
export const MAX_EPISODES = "max_episodes" satisfies keyof NewRun;

export interface Ends {
  /** Null: steps do not end the run. */
  steps: number | null;
  seconds: number | null;
  episodes: number | null;
  isSolvedToo: boolean;
}

/** The steps of the preset are a limit only where nothing else is; a script of CleanRL always has some. */
export function endsOf(draft: Draft): Ends {
  const seconds = countOf(draft.options[MAX_SECONDS]) ?? draft.length?.max_seconds ?? null;
  const episodes = countOf(draft.options[MAX_EPISODES]);
  const isSolvedToo = draft.options[UNTIL] === SOLVED;
  const typed = draft.totalTimesteps ?? draft.length?.total_timesteps ?? null;
  if (typed !== null) return { steps: typed, seconds: ownSeconds(draft), episodes, isSolvedToo };
  const isLimited = seconds !== null || episodes !== null;
  const usual = draft.preset?.total_timesteps ?? DEFAULT_TIMESTEPS;
  const steps = isLimited && !draft.offer.runner.capabilities.foreign ? null : usual;
  return { steps, seconds, episodes, isSolvedToo };
}

/** Typed steps take the place of a length. */
const ownSeconds = (draft: Draft): number | null => countOf(draft.options[MAX_SECONDS]);

const countOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** "About 810k steps at the speed of 3 past runs.", "About 12 s."; empty while nothing is known. */
export function estimateText(
  { steps, seconds, episodes }: Ends,
  speed: Speed | undefined,
  unit = "step",
): string {
  if (!speed) return "";
  const how = speed.is_measured
    ? `, measured on ${formatPlural(speed.runs, "run")} of this machine`
    : "; a rough figure, no such run was measured here yet";
  const inSteps = steps !== null && Number.isFinite(steps) ? steps / speed.steps_per_second : null;
  const inEpisodes =
    episodes !== null && speed.steps_per_episode
      ? (episodes * speed.steps_per_episode) / speed.steps_per_second
      : null;
  const times = [inSteps, seconds, inEpisodes].filter((time) => time !== null && Number.isFinite(time));
  if (times.length === 0) return "";
  const first = Math.min(...(times as number[]));
  const isByTime = first === seconds;
  const what = isByTime
    ? `About ${formatNumber(first * speed.steps_per_second, 2)} ${unit}s`
    : `About ${formatDuration(first)}`;
  return `${what} at ${formatNumber(speed.steps_per_second, 2)} ${unit}s/s${how}.`;
}

/** "Ends after 300,000 steps or 30 min, whichever comes first."; null where one limit speaks for itself. */
export function severalText({ steps, seconds, episodes, isSolvedToo }: Ends, unit = "step"): string | null {
  const limits = [
    steps === null || Number.isNaN(steps) ? "" : `${formatCount(steps)} ${unit}s`,
    seconds === null || Number.isNaN(seconds) ? "" : formatDuration(seconds).replace(" 00 s", ""),
    episodes === null || Number.isNaN(episodes) ? "" : formatPlural(episodes, "episode"),
  ].filter(Boolean);
  const all = isSolvedToo ? [...limits, "when solved"] : limits;
  if (all.length < 2) return null;
  const after = `Ends after ${limits.join(" or ")}`;
  return `${after}${isSolvedToo ? ", or when solved" : ""}: the first that is reached.`;
}
