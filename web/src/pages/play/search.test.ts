import { expect, test } from "vitest";
import { modeOf, playOf, playSearch, policyOf, policyText } from "./search";

test("a link of the stage opens as the mode Agent with its model", () => {
  const search = playSearch({ env: "CartPole-v1", run: "r1", checkpoint: "c1" });
  expect(modeOf(search)).toBe("agent");
  expect(policyOf(search)).toEqual({ runId: "r1", checkpoint: "c1" });
});

test("a link to an environment is played by a person, with a model in the mode it names", () => {
  expect(modeOf(playSearch({ env: "CartPole-v1" }))).toBe("human");
  expect(modeOf(playSearch({ mode: "hybrid", policy: "r1@c1" }))).toBe("hybrid");
  expect(playSearch({ mode: "robot" })).toEqual({});
});

test("a model is named by its run, with or without a checkpoint", () => {
  expect(policyOf({ policy: "r1" })).toEqual({ runId: "r1", checkpoint: undefined });
  for (const text of ["r1", "r1@c1"]) expect(policyText(policyOf({ policy: text })!)).toBe(text);
  expect(policyOf({})).toBeNull();
});

test("a link becomes the play that it asks for", () => {
  expect(playOf("CartPole-v1", "human", { policy: "r1", seed: 7 })).toEqual({
    mode: "human",
    env_id: "CartPole-v1",
    seed: 7,
  });
  expect(playOf("CartPole-v1", "hybrid", { policy: "r1@c1" })).toMatchObject({
    policy_run_id: "r1",
    checkpoint: "c1",
  });
  expect(playOf("CartPole-v1", "human", { from: "r1", episode: 3, step: 40 })).toEqual({
    mode: "human",
    start: { run_id: "r1", episode: 3, step: 40 },
  });
});
