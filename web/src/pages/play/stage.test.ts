import { expect, test } from "vitest";
import { stageQuery, switchOf } from "./stage";

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
