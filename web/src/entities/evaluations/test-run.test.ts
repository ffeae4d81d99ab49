import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { checkpointText, TEST, TESTS, whyNotTest } from "./test-run";

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

test("the checkpoint of a script can be tested, that of another program cannot", () => {
  const trainedBy = (runner: string) =>
    ({
      kind: "train",
      status: "succeeded",
      isolation: "full",
      progress: { timestep: 100 },
      config: { kind: "train", runner },
    }) as unknown as Run;
  expect(whyNotTest(trainedBy("script"), false)).toBeNull();
  expect(whyNotTest(trainedBy("program"), false)).toBe("The lab cannot play the checkpoint of a program.");
  expect(whyNotTest(trainedBy("corl"), false)).toMatch("scaled the observations");
});
