/** What a replay's socket says, and what a viewer may wish. */

/** One moment of the episode: the picture's header. */
export interface Moment {
  seq: number;
  episode: number;
  step: number;
  reward: number;
  return: number;
  terminated: boolean;
  truncated: boolean;
  playing: boolean;
  speed: number;
  observation: unknown;
  action: unknown;
  next_action: unknown;
  info: Record<string, unknown>;
  /** What the policy thought the state was worth, where it was recorded. */
  value?: number;
  chosen_probability?: number;
  /** Columns such as probabilities and q_values. */
  [column: string]: unknown;
}

/** The first message: the episode as a whole. */
export interface Opened {
  op: "opened";
  length: number;
  render_fps: number;
  rewards: number[];
  values: (number | null)[];
  /** null: nobody can say yet. */
  exact: boolean | null;
  note: string;
}

export type Wish =
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

export type News =
  | { kind: "opened"; opened: Opened }
  | { kind: "moment"; moment: Moment }
  | { kind: "state"; playing: boolean; speed: number }
  | { kind: "failed"; failure: Failure }
  | { kind: "lost" };

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16] as const;
/** Keys 1 to 5. */
export const KEY_SPEEDS = [0.25, 0.5, 1, 4, 16] as const;
