/** The steps of the episode that is played, as they arrive. Pure. */
import type { PlayedStep } from "@/panels/stage/player";

export interface Trace {
  episode: number;
  /** Of step 1, 2, …; what happened before the page was opened is not known and counts as 0. */
  rewards: number[];
  /** 1 person, 0 agent, −1 not known. */
  who: number[];
  values: (number | null)[];
  /** The return up to the last step. */
  sum: number;
}

export const NO_TRACE: Trace = { episode: -1, rewards: [], who: [], values: [], sum: 0 };

export function afterSteps(trace: Trace, steps: readonly PlayedStep[]): Trace {
  return steps.reduce(afterStep, trace);
}

function afterStep(before: Trace, played: PlayedStep): Trace {
  const isNew = played.episode !== before.episode || played.step < before.rewards.length;
  const trace = isNew ? { ...NO_TRACE, episode: played.episode } : before;
  const missing = played.step - trace.rewards.length;
  if (missing <= 0) return { ...trace, sum: played.return };
  // Pictures may be skipped on a slow connection: their rewards are in the return.
  const skipped = missing - 1;
  const isKnown = !isNew;
  const share = isKnown && skipped > 0 ? (played.return - played.reward - trace.sum) / skipped : 0;
  const who = played.who === "person" ? 1 : played.who === "agent" ? 0 : -1;
  return {
    episode: played.episode,
    rewards: [...trace.rewards, ...Array<number>(skipped).fill(share), played.reward],
    who: [...trace.who, ...Array<number>(skipped).fill(isKnown ? who : -1), who],
    values: [
      ...trace.values,
      ...Array<number | null>(skipped).fill(isKnown ? (played.value ?? null) : null),
      played.value ?? null,
    ],
    sum: played.return,
  };
}

/** How many steps a person chose, of those that are known. */
export function shareOfPerson(trace: Trace): number | null {
  const known = trace.who.filter((who) => who >= 0);
  return known.length === 0 ? null : known.filter((who) => who === 1).length / known.length;
}
