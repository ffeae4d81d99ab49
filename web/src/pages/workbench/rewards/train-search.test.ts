import { expect, test } from "vitest";
import type { CodeVersion, Run, Runner } from "@/api/types";
import { trainSearch } from "./train-search";

const version = { name: "gentle", version: 3 } as CodeVersion;
const runners = [
  {
    id: "turbo",
    capabilities: {},
    options_schema: { properties: { judge_by: { type: "string", default: "environment" } } },
    algorithms: [
      { id: "ppo", params_schema: { properties: { n_envs: { type: "integer", default: 8 } } }, presets: [] },
    ],
  },
] as unknown as Runner[];
const run = {
  kind: "train",
  env_id: "CartPole-v1",
  config: {
    kind: "train",
    runner: "turbo",
    algorithm: "ppo",
    env_id: "CartPole-v1",
    seed: 7,
    total_timesteps: 20_000,
    judge_by: "reward",
    params: { n_envs: 32 },
    reward: { name: "gentle", version: 2, sha256: "a".repeat(64) },
  },
} as unknown as Run;

test("after Edit and run all settings of the run stay, and only its reward is another", () => {
  expect(trainSearch({ version, envId: "", run, runners })).toMatchObject({
    env: "CartPole-v1",
    algorithm: "turbo/ppo",
    seed: 7,
    steps: 20_000,
    params: { n_envs: 32 },
    options: { judge_by: "reward" },
    reward: "gentle@v3",
  });
});

test("without a run, or for another environment, the form begins anew", () => {
  expect(trainSearch({ version, envId: "CartPole-v1" })).toEqual({ env: "CartPole-v1", reward: "gentle@v3" });
  expect(trainSearch({ version, envId: "Acrobot-v1", run, runners })).toEqual({
    env: "Acrobot-v1",
    reward: "gentle@v3",
  });
});
