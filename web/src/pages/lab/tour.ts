/** The stops of the lab's tour. */
import type { TourStop } from "@/panels/tour/Tour";

export const LAB_TOUR: readonly TourStop[] = [
  {
    at: "environments",
    title: "Choose an environment",
    text: "Each card is an environment with its action and observation space. The arrow on a card previews it with a random agent.",
  },
  {
    at: "parameters",
    title: "Choose how the agent learns",
    text: "The runner is the library that trains the agent; a preset is a good start. Every parameter below is explained and can be reset.",
  },
  {
    at: "train",
    title: "Train and test",
    text: "TRAIN starts a run that continues when you close the page. TEST plays five episodes with the trained agent and records a video.",
  },
  {
    at: "feed",
    title: "Watch it",
    text: "The newest episode as it was played. Watching does not slow the training down. RECORD saves the last ten seconds.",
  },
  {
    at: "history",
    title: "See it improve",
    text: "One bar per episode. Click a bar to replay that episode step by step.",
  },
  {
    at: "analysis",
    title: "Understand it",
    text: "Findings computed from the curves, with the numbers behind them. The report puts all of it on one page.",
  },
];
