/** The stops of the lab's tour. */
import type { TourStop } from "@/panels/tour/Tour";

export const LAB_TOUR: readonly TourStop[] = [
  {
    at: "environments",
    title: "Choose a world",
    text: "Each card is an environment: what the agent sees and how it acts. The arrow on a card shows a random agent in it.",
  },
  {
    at: "parameters",
    title: "Choose how it learns",
    text: "The runner is the library that learns, the preset a good start. Every knob below says what it does and can be put back.",
  },
  {
    at: "train",
    title: "Train and test",
    text: "TRAIN starts a run that goes on when you close the page. TEST plays five episodes with what was learned and films them.",
  },
  {
    at: "feed",
    title: "Watch it",
    text: "The newest episode, as it was played. Watching costs the learner nothing; RECORD keeps the last ten seconds.",
  },
  {
    at: "history",
    title: "See it improve",
    text: "One bar an episode. A click on a bar replays exactly that episode, step by step.",
  },
  {
    at: "analysis",
    title: "Understand it",
    text: "Sentences computed from the curves, with the numbers they rest on. The report puts all of it on one page.",
  },
];
