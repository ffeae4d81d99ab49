import { expect, test } from "vitest";
import type { FieldError } from "@/api/types";
import type { Draft } from "./draft";
import { otherErrors } from "./other-errors";

const draft = (capabilities: object = {}, more: Partial<Draft> = {}): Draft =>
  ({
    start: "",
    dataset: "",
    offer: {
      runner: {
        capabilities: { own_reward: true, own_environment: false, ...capabilities },
        options_schema: { properties: { record: { type: "boolean" }, until: { type: "string" } } },
      },
      algorithm: {
        prefill: false,
        params_schema: {
          properties: {
            learning_rate: { type: "number" },
            log_std_init: { type: "number", "x-actions": "continuous" },
          },
        },
      },
    },
    ...more,
  }) as unknown as Draft;
const named = (...fields: string[]): Record<string, FieldError> =>
  Object.fromEntries(fields.map((field) => [field, { field, message: "wrong", allowed: null }]));
const other = (fields: string[], one = draft(), actions?: string) =>
  otherErrors(named(...fields), one, actions).map(({ field }) => field);

test("what a control shows is not repeated", () => {
  const shown = ["learning_rate", "record", "seed", "total_timesteps", "max_seconds", "reward"];
  expect(other([...shown, "env_kwargs", "env_kwargs.wrappers", "env_kwargs.wrappers.0.steps"])).toEqual([]);
});

test("what no control shows becomes a message", () => {
  expect(other(["algorithm", "runner", "env_id", "until", "start_from", "params_x"])).toEqual([
    "algorithm",
    "runner",
    "env_id",
    "until",
    "start_from",
    "params_x",
  ]);
  expect(other(["reward.name", "net_arch.0"])).toEqual(["reward.name", "net_arch.0"]);
});

test("a field that this form leaves out shows nothing", () => {
  expect(other(["log_std_init"], draft(), "discrete")).toEqual(["log_std_init"]);
  expect(other(["log_std_init"], draft(), "continuous")).toEqual([]);
  expect(other(["reward"], draft({ own_reward: false }))).toEqual(["reward"]);
  expect(other(["env_kwargs.wrappers"], draft({ own_environment: true }))).toEqual(["env_kwargs.wrappers"]);
  expect(other(["start_from"], draft({}, { start: "abc" }))).toEqual([]);
});
