import { expect, test } from "vitest";
import type { CheckpointItem } from "@/api/types";
import { actorOptions } from "./actors";

const item = (id: string, env_id: string, more: Partial<CheckpointItem> = {}) =>
  ({
    id,
    env_id,
    run_name: `run ${id}`,
    timestep: 4000,
    is_playable: true,
    acts_live: true,
    score: null,
    models: [],
    ...more,
  }) as CheckpointItem;

test("models of the environment come first, and those that cannot act are left out", () => {
  const items = [
    item("a", "Acrobot-v1"),
    item("b", "CartPole-v1"),
    item("c", "CartPole-v1", { acts_live: false }),
  ];
  expect(actorOptions(items, "CartPole-v1")).toEqual([
    { value: "", title: "Random actions" },
    { value: "b", title: "run b, step 4,000" },
    { value: "a", title: "Acrobot-v1: run a, step 4,000" },
  ]);
});

test("the best checkpoint is listed once, as the best, and a model by its name", () => {
  const items = [
    item("b", "CartPole-v1", { run_id: "r", role: "best" }),
    item("f", "CartPole-v1", { run_id: "r", role: "final" }),
    item("n", "CartPole-v1", { run_id: "s", models: [{ name: "pole", version: 2, labels: [] }] }),
  ];
  expect(actorOptions(items, "CartPole-v1").map(({ title }) => title)).toEqual([
    "Random actions",
    "run b, step 4,000, best",
    "pole v2: run n, step 4,000",
  ]);
  expect(actorOptions(items, "CartPole-v1", "f").map(({ value }) => value)).toContain("f");
});
