import { expect, test } from "vitest";
import type { Run, Runner } from "@/api/types";
import { readSpelledCode } from "@/entities/codes/words";
import { baseOf, formSearch } from "./form-link";

const preset = (id: string, env_id: string | null, params: object) => ({
  id,
  env_id,
  title: "Fast",
  params,
  total_timesteps: env_id ? 500_000 : 300_000,
});

const runners = [
  {
    id: "turbo",
    capabilities: {},
    options_schema: { properties: { record: { type: "boolean", default: true } } },
    algorithms: [
      {
        id: "ppo",
        params_schema: {
          properties: {
            learning_rate: { type: "number", default: 0.001 },
            n_envs: { type: "integer", default: 32 },
          },
        },
        presets: [
          preset("fast", null, { n_envs: 16 }),
          preset("fast", "CartPole-v1", { n_envs: 64, learning_rate: 0.016 }),
        ],
      },
    ],
  },
] as unknown as Runner[];

const run = (change: object = {}): Run =>
  ({
    kind: "train",
    config: {
      kind: "train",
      runner: "turbo",
      algorithm: "ppo",
      env_id: "CartPole-v1",
      preset: "fast",
      seed: 3,
      total_timesteps: 500_000,
      record: true,
      params: { learning_rate: 0.016, n_envs: 64 },
      ...change,
    },
  }) as unknown as Run;

test("a run is compared with the preset for its environment", () => {
  expect(baseOf(run(), runners)).toMatchObject({
    title: "preset Fast for CartPole-v1",
    labels: { n_envs: "N envs" },
    params: { learning_rate: 0.016, n_envs: 64 },
  });
  expect(baseOf(run({ env_id: "Acrobot-v1" }), runners)).toMatchObject({
    title: "preset Fast",
    params: { n_envs: 16 },
  });
});

test("an untouched run opens the form with its preset and seed only", () => {
  expect(formSearch(run(), runners)).toEqual({
    env: "CartPole-v1",
    algorithm: "turbo/ppo",
    preset: "fast",
    seed: 3,
    length: undefined,
    steps: undefined,
    params: undefined,
    options: undefined,
  });
});

test("an insight's change is added to what the user had changed", () => {
  const changed = run({ params: { learning_rate: 0.016, n_envs: 8 }, record: false });
  expect(
    formSearch(changed, runners, { params: { learning_rate: 0.001 }, total_timesteps: null }),
  ).toMatchObject({
    params: { learning_rate: 0.001, n_envs: 8 },
    options: { record: false },
  });
  expect(formSearch(run(), runners, { params: {}, total_timesteps: 1_000_000 })?.steps).toBe(1_000_000);
});

test("a length chosen by name stays one", () => {
  const short = run({ length: "short", total_timesteps: 20_000 });
  expect(formSearch(short, runners)).toMatchObject({ length: "short", steps: undefined });
  expect(formSearch(short, runners, { params: {}, total_timesteps: 40_000 })).toMatchObject({
    length: undefined,
    steps: 40_000,
  });
});

test("the link names the contents of the reward, which may be renamed or deleted later", () => {
  const reward = { name: "gentle", version: 2, sha256: "0a".repeat(32) };
  const link = formSearch(run({ reward }), runners)?.reward;
  expect(link).toBe(`gentle@v2@${reward.sha256}`);
  expect(readSpelledCode(link!)).toEqual(reward);
});

test("a run that the form cannot make has no link", () => {
  expect(formSearch(run({ runner: "gone" }), runners)).toBeNull();
  expect(formSearch({ ...run(), source: { folder: "/x" } } as unknown as Run, runners)).toBeNull();
});
