import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { factsOf, readableNames } from "./config-facts";

const OPTIONS = {
  properties: {
    feed: { title: "Live feed", type: "boolean", default: true, "x-option": true },
    evaluate_after: { title: "Evaluation episodes", type: "integer", default: 5, "x-option": true },
  },
};

test("each setting has a readable label, its own name and a value", () => {
  const config = {
    kind: "train",
    env_id: "CartPole-v1",
    algorithm: "ppo",
    runner: "turbo",
    preset: "fast",
    seed: 3,
    total_timesteps: 20_000,
    feed: true,
    evaluate_after: 5,
  };
  const facts = factsOf({ kind: "train", attempt: 1, config } as unknown as Run, OPTIONS);
  expect(facts.map(({ title, name, value }) => `${title} · ${name} · ${value}`)).toEqual([
    "Environment · env_id · CartPole-v1",
    "Algorithm · algorithm · ppo",
    "Runner · runner · turbo",
    "Preset · preset · fast",
    "Seed · seed · 3",
    "Timesteps · total_timesteps · 20,000",
    "Live feed · feed · yes",
    "Evaluation episodes · evaluate_after · 5",
    "Attempt · attempt · 1",
  ]);
});

test("what an environment was made with is shown, and its wrappers in order", () => {
  const env_kwargs = { gravity: -5, wrappers: [{ id: "time_limit", steps: 200 }, { id: "flatten" }] };
  const config = { kind: "train", env_id: "LunarLander-v3", env_kwargs };
  const facts = factsOf({ kind: "train", attempt: 1, config } as unknown as Run, OPTIONS);
  expect(facts.slice(1, 3)).toEqual([
    { title: "Arguments", name: "env_kwargs", value: "gravity = -5" },
    { title: "Wrappers", name: "wrappers", value: "time_limit (steps = 200), flatten" },
  ]);
});

test("the settings of an evaluation have readable labels too", () => {
  const config = { kind: "evaluate", fresh_seeds: true };
  expect(readableNames({ kind: "evaluate", config } as unknown as Run)).toMatchObject({
    fresh_seeds: "Fresh seeds",
  });
});
