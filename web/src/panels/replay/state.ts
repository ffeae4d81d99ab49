/** Where a replay stands, and how news and wishes change it. Pure. */
import type { Failure, Moment, News, Opened, Wish } from "./messages";

export interface ReplayState {
  phase: "opening" | "ready" | "lost" | "failed";
  opened: Opened | null;
  moment: Moment | null;
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
  step,
  playing: false,
  speed: 1,
  failure: null,
});

export function afterNews(state: ReplayState, news: News): ReplayState {
  switch (news.kind) {
    case "opened":
      return {
        ...state,
        phase: "ready",
        opened: news.opened,
        step: Math.min(state.step, news.opened.length),
      };
    case "moment": {
      const { step, playing, speed } = news.moment;
      return { ...state, phase: "ready", moment: news.moment, step, playing, speed };
    }
    case "state":
      return { ...state, playing: news.playing, speed: news.speed };
    case "failed":
      return { ...state, phase: "failed", failure: news.failure, playing: false };
    case "lost":
      return { ...state, phase: "lost", playing: false };
  }
}

/** Shown at once; the lab's next word corrects it. */
export function afterWish(state: ReplayState, wish: Wish): ReplayState {
  const last = state.opened?.length ?? 0;
  const within = (step: number) => Math.max(0, Math.min(last, Math.round(step)));
  switch (wish.op) {
    case "play":
      return { ...state, playing: true, speed: wish.speed ?? state.speed };
    case "pause":
      return { ...state, playing: false };
    case "seek":
      return { ...state, step: within(wish.step) };
    case "step":
      return { ...state, playing: false, step: within(state.step + wish.by) };
    case "speed":
      return { ...state, speed: wish.speed };
  }
}
