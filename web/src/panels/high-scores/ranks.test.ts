import { expect, test } from "vitest";
import { rankOf } from "./ranks";

test("the same return is the same place", () => {
  expect(rankOf([500, 500, 31, 9, 9].map((value) => ({ return: value })))).toEqual([1, 1, 3, 4, 4]);
});
