import { expect, test } from "vitest";
import type { HighScores, PlayResult } from "@/api/types";
import { bestEpisode } from "./best-episode";

/** Episode 0 was given up after its first step. */
const rows = [
  { episode: 2, reward: -900, length: 200 },
  { episode: 1, reward: -700, length: 200 },
  { episode: 0, reward: -3, length: 1 },
];

test("an episode that was given up is not the best", () => {
  const scores = [
    { run_id: "other", episode: 9, return: -100 },
    ...[1, 2].map((episode) => ({ run_id: "mine", episode, return: -700 - 200 * (episode - 1) })),
  ];
  const found = { groups: [{ scores }], changed: [] } as unknown as HighScores;
  expect(bestEpisode(rows, { runId: "mine", found, result: null })).toBe(1);
});

test("a play that is too low for the lists has its best episode by its result, once it has ended", () => {
  const found = { groups: [], changed: [] } as unknown as HighScores;
  expect(bestEpisode(rows, { runId: "mine", found, result: null })).toBeNull();
  const result = { best_return: -700, returns: [-700, -900], lengths: [200, 200] } as PlayResult;
  expect(bestEpisode(rows, { runId: "mine", found, result })).toBe(1);
  const none = { returns: [], lengths: [] } as unknown as PlayResult;
  expect(bestEpisode(rows, { runId: "mine", found, result: none })).toBeNull();
});
