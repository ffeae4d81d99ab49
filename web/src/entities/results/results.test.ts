import { expect, test } from "vitest";
import { duelOf, forkOf, summaryOf } from "./results";

test("an object that is not a result is not taken for one", () => {
  expect(summaryOf(null)).toBeNull();
  expect(summaryOf({ return_mean: "high" })).toBeNull();
  expect(summaryOf({ return_mean: 3, returns: [3] })).not.toBeNull();
  expect(duelOf({})).toBeNull();
  expect(forkOf({})).toBeNull();
  expect(forkOf({ return: 3, parent_return: null })).toEqual({ return: 3, parent_return: null });
});
