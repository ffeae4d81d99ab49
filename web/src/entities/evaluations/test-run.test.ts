import { expect, test } from "vitest";
import { checkpointText, TEST, TESTS } from "./test-run";

test("the menu next to TEST has 5 and 10 episodes, each with the same and with fresh seeds", () => {
  expect(TESTS.map(({ wanted }) => [wanted.episodes, wanted.fresh_seeds])).toEqual([
    [5, false],
    [5, true],
    [10, false],
    [10, true],
  ]);
  expect(TESTS[0]!.wanted).toEqual(TEST);
});

test("a checkpoint is named by its step and role", () => {
  expect(checkpointText({ timestep: 60_416, role: "final" })).toBe("step 60,416, final");
  expect(checkpointText({ timestep: null, role: null })).toBe("");
});
