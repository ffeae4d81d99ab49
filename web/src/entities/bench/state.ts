/** What the bench has reported so far. Pure. */
import type { BenchEpisode, BenchMessage, BenchPlan, BenchProblem, BenchSummary } from "@/api/types";

export interface BenchState {
  phase: "idle" | "running" | "done" | "stopped" | "failed";
  plan: BenchPlan | null;
  episodes: readonly BenchEpisode[];
  /** The newest statistics. */
  summary: BenchSummary | null;
  problems: readonly BenchProblem[];
  seconds: number | null;
  /** Why the request itself was refused or broke off. */
  error: unknown;
}

export const IDLE: BenchState = {
  phase: "idle",
  plan: null,
  episodes: [],
  summary: null,
  problems: [],
  seconds: null,
  error: null,
};

export function afterMessage(state: BenchState, message: BenchMessage): BenchState {
  switch (message.type) {
    case "plan":
      return { ...state, plan: message };
    case "episodes":
      return { ...state, episodes: [...state.episodes, ...message.items] };
    case "summary":
      return { ...state, summary: message };
    case "problem":
      return {
        ...state,
        phase: message.reward === null ? "failed" : state.phase,
        problems: [...state.problems, message],
      };
    case "done":
      return { ...state, phase: "done", seconds: message.seconds };
  }
}
