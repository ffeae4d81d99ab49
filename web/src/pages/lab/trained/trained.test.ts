import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { trainedModels, whyNotContinue } from "./trained";

const run = (id: string, best: number | null, more: Partial<Run> = {}): Run =>
  ({
    id,
    kind: "train",
    status: "succeeded",
    source: null,
    isolation: null,
    allowed: [],
    config: { kind: "train", runner: "turbo", params: {} },
    progress: { timestep: 100 },
    summary: { best_mean_reward: best },
    ...more,
  }) as unknown as Run;

test("models that can be played are listed, the best first", () => {
  const runs = [
    run("low", 10),
    run("none", null),
    run("high", 500),
    run("adopted", 900, { source: {} as Run["source"] }),
    run("script", 900, { isolation: "full" as Run["isolation"] }),
    run("empty", 900, { status: "failed", progress: { timestep: 0 } as Run["progress"] }),
  ];
  expect(trainedModels(runs).map(({ id }) => id)).toEqual(["high", "low", "none"]);
});

test("a stopped run can continue; a complete one gives the reason", () => {
  expect(whyNotContinue(run("a", 1, { status: "stopped", allowed: ["resume"] }))).toBeNull();
  expect(whyNotContinue(run("a", 1))).toMatch(/complete/);
});
