import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { labelsOf } from "./labels";
import { settingText } from "./settings";

const run = (id: string, config: object, name = "PPO on CartPole-v1"): Run =>
  ({
    id,
    name,
    kind: "train",
    config: {
      kind: "train",
      algorithm: "ppo",
      env_id: "CartPole-v1",
      runner: "turbo",
      preset: "fast",
      total_timesteps: 1000,
      seed: 1,
      env_kwargs: {},
      params: {},
      ...config,
    },
  }) as unknown as Run;

const labels = (...runs: Run[]) => [...labelsOf(runs).values()];

test("runs shown together are labelled by what differs between them", () => {
  expect(labels(run("a", { seed: 1 }), run("b", { seed: 2 }))).toEqual(["seed 1", "seed 2"]);
  expect(
    labels(
      run("a", { params: { learning_rate: 0.002, gamma: 0.9 } }),
      run("b", { params: { learning_rate: 3e-4, gamma: 0.9 }, total_timesteps: 20_000 }),
    ),
  ).toEqual(["learning rate 0.002 · 1,000 steps", "learning rate 3e-4 · 20,000 steps"]);
  expect(labels(run("a", { algorithm: "dqn" }, "DQN on CartPole-v1"), run("b", {}))).toEqual(["DQN", "PPO"]);
});

test("one run keeps its whole name, and names that a person gave stay", () => {
  expect(labels(run("a", {}))).toEqual(["PPO on CartPole-v1"]);
  expect(labels(run("a", {}, "mine"), run("b", { seed: 2 }))).toEqual(["mine", "seed 2"]);
});

test("runs that look alike are never labelled alike", () => {
  expect(labels(run("1nfk71mp5kag", {}), run("1nfk71mp5kah", {}))).toEqual([
    "PPO on CartPole-v1 · 5kag",
    "PPO on CartPole-v1 · 5kah",
  ]);
  expect(labels(run("a", { seed: 1 }, "mine"), run("b", { seed: 2 }, "mine"))).toEqual([
    "mine · seed 1",
    "mine · seed 2",
  ]);
});

test("many differences are shortened, and the seed stays", () => {
  const params = (x: number) => ({ a: x, b: x, c: x, d: x, e: x });
  expect(labels(run("a", { params: params(1) }), run("b", { params: params(2), seed: 2 }))[0]).toBe(
    "a 1 · b 1 · c 1 · +2 · seed 1",
  );
});

test("a run that learns from a dataset counts updates", () => {
  const offline = { ...run("a", { total_timesteps: 500 }), progress: { unit: "update" } } as Run;
  expect(labels(offline, run("b", { total_timesteps: 1000 }))).toEqual(["500 updates", "1,000 steps"]);
});

test("wrappers are named in order with their settings", () => {
  const wrappers = [{ id: "time_limit", steps: 200 }, { id: "flatten" }];
  expect(settingText("wrappers", wrappers)).toBe("time limit steps 200, flatten");
  expect(settingText("wrappers", [])).toBe("no wrappers");
});
