import { expect, test } from "vitest";
import type { CheckpointDetail } from "@/api/types";
import { configOf, factsOf } from "./facts";

const ITEM = {
  env_id: "CartPole-v1",
  algorithm: "ppo",
  runner: "turbo",
  timestep: 40_000,
  total_timesteps: 100_000,
  score: { mean: 213, protocol: "evaluation", episodes: 10 },
  seed: 0,
  preset: null,
  origin: "pack",
  origin_detail: "thesis.zip",
  created_at: "2026-01-02T00:00:00Z",
  size: 2048,
} as unknown as CheckpointDetail;

test("facts that are not known are left out, a seed of zero is not", () => {
  const facts = Object.fromEntries(factsOf(ITEM).map(({ title, value }) => [title, value]));
  expect(facts).toMatchObject({
    Steps: "40,000 of 100,000",
    Return: "213 · evaluation, 10 episodes",
    Seed: "0",
    Origin: "from an imported pack: thesis.zip",
  });
  expect(facts).not.toHaveProperty("Preset");
});

test("arguments of the environment are part of the configuration", () => {
  expect(configOf({ params: { gamma: 0.9 }, env_kwargs: {} })).toEqual({ gamma: 0.9 });
  expect(configOf({ params: { gamma: 0.9 }, env_kwargs: { wind: true } })).toEqual({
    gamma: 0.9,
    env: { wind: true },
  });
});
