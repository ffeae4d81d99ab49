import { expect, test } from "vitest";
import type { Runner } from "@/api/types";
import { configIn, formOf } from "./config-file";

const runners = [
  {
    id: "turbo",
    name: "Turbo",
    capabilities: {},
    options_schema: { properties: { record: { type: "boolean", default: true } } },
    algorithms: [
      { id: "ppo", presets: [], params_schema: { properties: { gamma: { type: "number", default: 0.99 } } } },
    ],
  },
  { id: "script", name: "Script", capabilities: { own_environment: true }, algorithms: [{ id: "script" }] },
] as unknown as Runner[];

const whole = {
  kind: "train",
  runner: "turbo",
  algorithm: "ppo",
  env_id: "Acrobot-v1",
  seed: 7,
  total_timesteps: 5000,
  record: false,
  params: { gamma: 0.9 },
};

test("a config.json opens the form with its settings", () => {
  const { found } = configIn("config.json", JSON.stringify(whole));
  expect(formOf("config.json", found!, runners).found).toMatchObject({
    env: "Acrobot-v1",
    algorithm: "turbo/ppo",
    steps: 5000,
    seed: 7,
    params: { gamma: 0.9 },
    options: { record: false },
  });
});

test("a file with few settings leaves the others as they are usually", () => {
  const { found } = formOf("mine.json", { algorithm: "ppo" }, runners);
  expect(found).toMatchObject({ algorithm: "turbo/ppo", env: undefined, steps: undefined });
});

test("the arguments of the environment go into the form, too", () => {
  const { found } = formOf("a.json", { algorithm: "ppo", env_kwargs: { gravity: -5 } }, runners);
  expect(found).toMatchObject({ env_kwargs: { gravity: -5 } });
});

test.each([
  ["not json", "“a.json” is not JSON."],
  ["", "“a.json” is not JSON."],
  ["[]", "names no algorithm"],
  ["null", "names no algorithm"],
  ['{"algorithm":3}', "names no algorithm"],
  ['{"kind":"evaluate","run_id":"x"}', "a run of kind evaluate"],
])("the wrong file %s is answered with the reason", (text, problem) => {
  expect(configIn("a.json", text).problem).toContain(problem);
});

test.each([
  [{ runner: "gone", algorithm: "ppo" }, "uses gone, which this lab does not have"],
  [{ runner: "turbo", algorithm: "sac" }, "uses sac, which Turbo does not have"],
  [{ algorithm: "sac" }, "uses sac, which this lab does not have"],
  [{ runner: "script", algorithm: "script" }, "belongs to a script"],
])("settings that this lab's form cannot have are answered with the reason: %o", (config, problem) => {
  expect(formOf("a.json", config, runners).problem).toContain(problem);
});
