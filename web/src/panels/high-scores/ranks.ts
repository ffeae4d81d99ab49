/** Places of high scores. Pure. */
import type { HighScore } from "@/api/types";

export const PLAYERS: Record<HighScore["player"], string> = {
  person: "person",
  hybrid: "person and policy",
  policy: "policy",
};

/** The same return is the same place: 1, 1, 3. The scores are sorted, best first. */
export const rankOf = (scores: readonly Pick<HighScore, "return">[]): number[] =>
  scores.map((score) => scores.findIndex((other) => other.return === score.return) + 1);
