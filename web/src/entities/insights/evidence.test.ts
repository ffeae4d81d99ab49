import { expect, test } from "vitest";
import { evidenceLines } from "./evidence";

test("evidence is read out with plain names and short numbers", () => {
  expect(evidenceLines({ mean_reward: 487.51234, from_param: "ent_coef" })).toEqual([
    ["mean reward", "488"],
    ["from param", "ent_coef"],
  ]);
  expect(evidenceLines(undefined)).toEqual([]);
});
