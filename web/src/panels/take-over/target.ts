/** An episode that can be taken over, or why it cannot. Pure. */
import type { TakeOver } from "@/api/types";
import type { ReplayState } from "@/panels/replay/state";

export interface TakeOverTarget {
  title: string;
  start: Omit<TakeOver, "step">;
  /** Null until it is open. */
  length: number | null;
  /** Why none of its steps can be taken over; null when they can. */
  reason: string | null;
}

export function targetOf(
  title: string,
  start: TakeOverTarget["start"],
  { opened, failure }: Pick<ReplayState, "opened" | "failure">,
): TakeOverTarget {
  return { title, start, length: opened?.length ?? null, reason: failure?.message ?? differs(opened) };
}

/** Its moments could not be brought back. */
const differs = (opened: ReplayState["opened"]): string | null =>
  opened?.exact === false ? `The simulation differs from what was recorded. ${opened.note}`.trim() : null;

export function whyNot({ reason, length }: TakeOverTarget, step: number): string | null {
  if (reason !== null) return reason;
  if (length === null) return "The replay is not open yet.";
  return step >= length ? "The episode ends at this step. Go back to an earlier one." : null;
}
