/** The messages of a replay: what the lab sends, what a viewer may ask for, and what the player reports. */
import type { ReplayFrameHeader, ReplayOpened } from "@/api/types";

/** Header of a frame of the episode, with columns such as probabilities and q_values. */
export type Moment = ReplayFrameHeader & { [column: string]: unknown };

/** The first message: the episode as a whole. */
export type Opened = ReplayOpened;

export type Command =
  | { op: "play"; speed?: number }
  | { op: "pause" }
  | { op: "seek"; step: number }
  | { op: "step"; by: number }
  | { op: "speed"; speed: number };

export interface Failure {
  title?: string;
  message: string;
  next_step?: string | null;
}

export type ReplayEvent =
  | { kind: "opened"; opened: Opened }
  | { kind: "moment"; moment: Moment; edge: string | null }
  | { kind: "state"; playing: boolean; speed: number }
  | { kind: "failed"; failure: Failure }
  | { kind: "lost" };

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16] as const;
/** Keys 1 to 5. */
export const KEY_SPEEDS = [0.25, 0.5, 1, 4, 16] as const;
