import { expect, test } from "vitest";
import type { Artifact, Run } from "@/api/types";
import { bestBy, choicesOf, marksOf, returnText } from "./checkpoints";

const file = (timestep: number, role: string, sha256: string, more: Partial<Artifact> = {}) =>
  ({ id: `${role}-${timestep}`, kind: "checkpoint", timestep, role, sha256, tags: [], ...more }) as Artifact;
const evaluation = { mean: 213.4, protocol: "evaluate_every", episodes: 5 } as Artifact["evaluation"];
const FILES = [
  file(30_000, "final", "c", { score: 180 }),
  file(20_000, "best", "b", { evaluation, score: 174, score_episodes: 100 }),
  file(20_000, "interval", "b", { evaluation, score: 174, score_episodes: 100, tags: ["good"] }),
  file(10_000, "interval", "a"),
];

test("the best checkpoint and the one it is a link to are one mark", () => {
  const marks = marksOf(FILES).map(({ file: { id }, isBest, isNewest }) => [id, isBest, isNewest]);
  expect(marks).toEqual([
    ["interval-10000", false, false],
    ["interval-20000", true, false],
    ["final-30000", false, true],
  ]);
});

test("a best checkpoint whose original was removed is a mark of its own", () => {
  const marks = marksOf([file(20_000, "best", "b"), file(30_000, "final", "c")]);
  expect(marks.map(({ isBest }) => isBest)).toEqual([true, false]);
  expect(marksOf([])).toEqual([]);
});

test("what TEST may play says step, return and what it was measured by", () => {
  expect(choicesOf(FILES).map(({ title }) => title)).toEqual([
    "Best (step 20,000, 213 by evaluation) · good",
    "Newest (step 30,000, 180 by training)",
    "Step 10,000",
  ]);
});

test("a return is shown with its protocol", () => {
  expect(returnText(FILES[1]!)).toBe(
    "return 213 (evaluation on 5 fixed seeds), 174 in training (mean of 100 episodes)",
  );
  const tested = { ...evaluation!, protocol: "evaluation" as const, episodes: 10 };
  expect(returnText({ score: null, score_episodes: null, evaluation: tested })).toBe(
    "return 213 (evaluation over 10 episodes)",
  );
  expect(returnText({ score: null, score_episodes: null, evaluation: null })).toBeNull();
});

test("what the best was chosen by follows from the run's options", () => {
  const run = (config: object) => ({ config: { kind: "train", ...config } }) as Run;
  expect(bestBy(run({ evaluate_every: 1000, evaluate_episodes: 5 }))).toBe(
    "best by evaluation on 5 fixed seeds",
  );
  expect(bestBy(run({ evaluate_every: null }))).toBe("best by training return");
});
