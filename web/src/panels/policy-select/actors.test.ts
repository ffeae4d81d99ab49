import { expect, test } from "vitest";
import type { CheckpointItem } from "@/api/types";
import { actorDetail, actorTitle, isActing, withoutTwins } from "./actors";

const item = (id: string, more: Partial<CheckpointItem> = {}) =>
  ({
    id,
    env_id: "CartPole-v1",
    run_id: "r",
    run_name: `run ${id}`,
    algorithm: "ppo",
    timestep: 4000,
    is_best: false,
    score: null,
    models: [],
    ...more,
  }) as CheckpointItem;

test("the best checkpoint is listed once, as the best, unless the other one acts", () => {
  const items = [item("b", { is_best: true }), item("f"), item("n", { run_id: "s" })];
  const listed = (policy: Parameters<typeof withoutTwins>[1]) =>
    withoutTwins(items, policy).map(({ id }) => id);
  expect(listed(null)).toEqual(["b", "n"]);
  expect(listed({ runId: "r", checkpoint: "f" })).toEqual(["b", "f", "n"]);
});

test("a model is named by its name, else by its run, with what tells it from others", () => {
  const named = item("n", { models: [{ name: "pole", version: 2, labels: [] }] });
  expect(actorTitle(named)).toBe("pole v2");
  expect(actorDetail(named, false)).toBe("run n, step 4,000 · ppo");
  expect(actorTitle(item("b"))).toBe("run b");
  expect(actorDetail(item("b", { is_best: true }), true)).toBe("CartPole-v1 · step 4,000, best · ppo");
});

test("without a checkpoint the best one of the run acts", () => {
  expect(isActing(item("b", { is_best: true }), { runId: "r" })).toBe(true);
  expect(isActing(item("f"), { runId: "r" })).toBe(false);
  expect(isActing(item("f"), { runId: "r", checkpoint: "f" })).toBe(true);
  expect(isActing(item("f"), null)).toBe(false);
});
