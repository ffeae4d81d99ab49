/** A checkpoint's return, always with the protocol it was measured by. Pure. */
import type { CheckpointItem } from "@/api/types";
import { hasSpread, rangeText } from "@/entities/evaluations/interval";
import { formatNumber, formatPlural, NOTHING } from "@/lib/format";

type Score = NonNullable<CheckpointItem["score"]>;

const PROTOCOLS: Record<Score["protocol"], { word: string; short: string; meaning: string }> = {
  training: {
    word: "training",
    short: "training",
    meaning: "The mean of the last training episodes, in which actions are sampled.",
  },
  evaluation: {
    word: "evaluation",
    short: "evaluation",
    meaning: "Measured by an evaluation of this checkpoint.",
  },
  evaluate_every: {
    word: "evaluation while training",
    short: "while training",
    meaning: "Measured by one of the evaluations alongside the training.",
  },
  import: {
    word: "as its source states",
    short: "as stated",
    meaning: "Stated by where the model comes from; not measured here.",
  },
};

/** "evaluation, 10 episodes"; "protocol nightly@v2, 10 episodes". */
export function protocolText(score: Score): string {
  const word = score.cited ? `protocol ${score.cited}` : PROTOCOLS[score.protocol].word;
  return score.episodes ? `${word}, ${formatPlural(score.episodes, "episode")}` : word;
}

/** "evaluation ×10", for narrow cells. */
export function shortProtocol(score: Score): string {
  const word = score.cited ?? PROTOCOLS[score.protocol].short;
  return score.episodes ? `${word} ×${score.episodes}` : word;
}

/** "213 · evaluation, 10 episodes". */
export const scoreText = (score: CheckpointItem["score"]): string =>
  score ? `${formatNumber(score.mean, 4)} · ${protocolText(score)}` : NOTHING;

/** How it was measured in sentences, for a tooltip. */
export function scoreHelp(score: CheckpointItem["score"]): string {
  if (!score) return "No return has been measured yet. Test it to get one.";
  const actions =
    score.deterministic == null
      ? ""
      : score.deterministic
        ? "Always the best action."
        : "Actions were sampled.";
  const interval = hasSpread(score.interval) ? `Mean ${rangeText(score.interval, score.level)}.` : "";
  return [PROTOCOLS[score.protocol].meaning, actions, interval].filter(Boolean).join(" ");
}
