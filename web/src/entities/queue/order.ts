/** The order of the waiting runs, and what it will be after a move. Pure; the lab decides in the end. */
import type { WaitingEntry } from "@/api/types";

/** Trainings and jobs wait for different slots: each has an order of its own. */
export const laneOf = ({ kind }: Pick<WaitingEntry, "kind">): "training" | "job" =>
  kind === "train" ? "training" : "job";

export const laneEntries = (waiting: readonly WaitingEntry[], lane: "training" | "job"): WaitingEntry[] =>
  waiting.filter((entry) => laneOf(entry) === lane);

/** The waiting runs after one was moved to a place (from 1) of its lane. */
export function moved(waiting: readonly WaitingEntry[], runId: string, to: number): WaitingEntry[] {
  const own = waiting.find(({ run_id }) => run_id === runId);
  if (!own) return [...waiting];
  const lane = laneEntries(waiting, laneOf(own)).filter((entry) => entry !== own);
  lane.splice(to - 1, 0, own);
  const numbered = lane.map((entry, index) => ({ ...entry, place: index + 1 }));
  const others = waiting.filter((entry) => laneOf(entry) !== laneOf(own));
  return laneOf(own) === "training" ? [...numbered, ...others] : [...others, ...numbered];
}

/** The place a dragged run gets when it is dropped above or below another one of its lane. */
export function droppedPlace(from: number, over: number, isBelow: boolean): number {
  const gap = isBelow ? over + 1 : over;
  return gap > from ? gap - 1 : gap;
}
