import { expect, test } from "vitest";
import type { CheckpointItem } from "@/api/types";
import { actorOptions, stageQuery, switchOf } from "./actors";

const item = (id: string, env_id: string, more: Partial<CheckpointItem> = {}) =>
  ({
    id,
    env_id,
    run_name: `run ${id}`,
    timestep: 4000,
    is_playable: true,
    score: null,
    ...more,
  }) as CheckpointItem;

test("models of the environment come first, and those that cannot act are left out", () => {
  const items = [
    item("a", "Acrobot-v1"),
    item("b", "CartPole-v1"),
    item("c", "CartPole-v1", { is_playable: false }),
  ];
  expect(actorOptions(items, "CartPole-v1")).toEqual([
    { value: "", title: "Random actions" },
    { value: "b", title: "run b, step 4,000" },
    { value: "a", title: "Acrobot-v1: run a, step 4,000" },
  ]);
});

test("a model of another environment names the stage on which it can act", () => {
  expect(switchOf({ message: "no", env_id: "CartPole-v1", run_id: "r", checkpoint: null })).toEqual({
    env: "CartPole-v1",
    run: "r",
    checkpoint: undefined,
  });
  expect(switchOf({ message: "The file was changed." })).toBeNull();
  expect(switchOf(null)).toBeNull();
});

test("a stage without an environment and a model has no address", () => {
  expect(stageQuery({})).toBeNull();
  expect(stageQuery({ env: "My Env/x", run: "r" })).toBe("env_id=My+Env%2Fx&run_id=r");
});
