import { expect, test } from "vitest";
import type { CheckpointItem } from "@/api/types";
import { protocolText, scoreHelp, scoreText, shortProtocol } from "./score";
import { checkpointName, placeText, rolesOf, whyNoDuel, whyNotCompare } from "./words";

type Score = NonNullable<CheckpointItem["score"]>;
const score = (change: Partial<Score>): Score =>
  ({ mean: 213, protocol: "evaluation", episodes: 10, interval: null, level: null, ...change }) as Score;
const item = (change: Partial<CheckpointItem>): CheckpointItem =>
  ({
    run_name: "lander",
    timestep: 40_000,
    role: "interval",
    env_id: "A",
    is_playable: true,
    ...change,
  }) as CheckpointItem;

test("a return is never without the protocol it was measured by", () => {
  expect(scoreText(score({}))).toBe("213 · evaluation, 10 episodes");
  expect(scoreText(score({ mean: -187, protocol: "training", episodes: null }))).toBe("−187 · training");
  expect(protocolText(score({ protocol: "evaluate_every", episodes: 1 }))).toBe(
    "evaluation while training, 1 episode",
  );
  expect(scoreText(null)).toBe("–");
  expect(shortProtocol(score({}))).toBe("evaluation ×10");
});

test("the tooltip says how it was measured, with the interval where there is one", () => {
  const help = scoreHelp(score({ deterministic: true, interval: [200, 226], level: 0.95 }));
  expect(help).toContain("Always the best action.");
  expect(help).toContain("200 … 226 (95 %)");
  expect(scoreHelp(score({}))).not.toContain("too few");
  expect(scoreHelp(null)).toContain("Test it");
});

test("a checkpoint is named by its run and step, or by its role", () => {
  expect(checkpointName(item({}))).toBe("lander · step 40,000");
  expect(placeText({ timestep: null, role: "imported" })).toBe("imported");
  expect(rolesOf(item({ role: "best", is_best: true, is_newest: true }))).toEqual(["best", "newest"]);
  expect(rolesOf(item({ role: "final", is_newest: true }))).toEqual(["newest", "final"]);
});

test("only two checkpoints of one environment that the lab can act with duel", () => {
  expect(whyNoDuel(item({}), item({}))).toBeNull();
  expect(whyNoDuel(item({}), item({ env_id: "B" }))).toContain("trained in A and B");
  expect(whyNoDuel(item({}), item({ is_playable: false }))).toContain("cannot act with lander");
  expect(whyNotCompare([1])).toContain("exactly two");
  expect(whyNotCompare([1, 2])).toBeNull();
});
