import { expect, test } from "vitest";
import type { Environment, Run } from "@/api/types";
import { isSolved, thresholdOf } from "./solved";

const run = (mean: number | null, episodes: number, cause = "done"): Run =>
  ({
    kind: "train",
    config: { kind: "train", env_id: "CartPole-v1" },
    summary: { mean_reward: mean },
    progress: { episodes },
    reason: { cause, message: "" },
  }) as unknown as Run;

test("the threshold is that of the run's environment", () => {
  const environments = [{ id: "CartPole-v1", reward_threshold: 475 }] as Environment[];
  expect(thresholdOf(run(0, 0), environments)).toBe(475);
  expect(thresholdOf(run(0, 0), [])).toBeNull();
});

test("a run is solved when the mean of a hundred episodes reaches the threshold, or when it ended as solved", () => {
  expect(isSolved(run(475, 100), 475)).toBe(true);
  expect(isSolved(run(474.9, 100), 475)).toBe(false);
  expect(isSolved(run(500, 3), 475)).toBe(false);
  expect(isSolved(run(500, 300), null)).toBe(false);
  expect(isSolved(run(null, 300, "solved"), null)).toBe(true);
  expect(isSolved(run(500, 300, "not-solved"), 475)).toBe(false);
});
