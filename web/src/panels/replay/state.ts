/** The state of a replay, and how events and commands change it. Pure. */
import type { Command, Failure, Moment, Opened, ReplayEvent } from "./messages";

export interface ReplayState {
  phase: "opening" | "ready" | "lost" | "failed";
  opened: Opened | null;
  moment: Moment | null;
  /** The colour at the edge of the picture, for the margins next to it. */
  edge: string | null;
  /** The step the viewer asked for; the picture follows a moment later. */
  step: number;
  playing: boolean;
  speed: number;
  failure: Failure | null;
}

export const opening = (step: number): ReplayState => ({
  phase: "opening",
  opened: null,
  moment: null,
  edge: null,
  step,
  playing: false,
  speed: 1,
  failure: null,
});

export function afterEvent(state: ReplayState, event: ReplayEvent): ReplayState {
  switch (event.kind) {
    case "opened":
      return {
        ...state,
        phase: "ready",
        opened: event.opened,
        step: Math.min(state.step, event.opened.length),
      };
    case "moment": {
      const { step, playing, speed } = event.moment;
      return { ...state, phase: "ready", moment: event.moment, edge: event.edge, step, playing, speed };
    }
    case "state":
      return { ...state, playing: event.playing, speed: event.speed };
    case "failed":
      return { ...state, phase: "failed", failure: event.failure, playing: false };
    case "lost":
      return { ...state, phase: "lost", playing: false };
  }
}

/** Shown at once; the lab's next message corrects it. */
export function afterCommand(state: ReplayState, command: Command): ReplayState {
  const last = state.opened?.length ?? 0;
  const within = (step: number) => Math.max(0, Math.min(last, Math.round(step)));
  switch (command.op) {
    case "play":
      return { ...state, playing: true, speed: command.speed ?? state.speed };
    case "pause":
      return { ...state, playing: false };
    case "seek":
      return { ...state, step: within(command.step) };
    case "step":
      return { ...state, playing: false, step: within(state.step + command.by) };
    case "speed":
      return { ...state, speed: command.speed };
  }
}
