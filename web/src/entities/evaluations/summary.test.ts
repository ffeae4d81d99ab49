import { expect, test } from "vitest";
import { duelOf, summaryOf } from "./summary";

test("what is no result is not read as one", () => {
  expect(summaryOf(null)).toBeNull();
  expect(summaryOf({ return_mean: "high" })).toBeNull();
  expect(summaryOf({ return_mean: 3, returns: [3] })).not.toBeNull();
  expect(duelOf({})).toBeNull();
});
