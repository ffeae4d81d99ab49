/** What moves a viewer through time: one replay by itself, or several in step. Controls, strip and keys know only this. */
import type { Command } from "./messages";
import type { Replay } from "./use-replay";

export interface Playback {
  step: number;
  /** Of the longest episode. */
  length: number;
  playing: boolean;
  speed: number;
  /** Steps per second at speed 1. */
  fps: number;
  send: (command: Command) => void;
  toggle: () => void;
  seek: (step: number) => void;
}

export const USUAL_FPS = 30;

/** A single replay: the lab holds the clock. */
export const playbackOf = ({ state, send, toggle, seek }: Replay): Playback => ({
  step: state.step,
  length: state.opened?.length ?? 0,
  playing: state.playing,
  speed: state.speed,
  fps: state.opened?.render_fps ?? USUAL_FPS,
  send,
  toggle,
  seek,
});
