import { expect, test } from "vitest";
import { COLUMNS, nextSort } from "./columns";
import { rangeBetween } from "./use-selection";

test("a head sorts downwards, then upwards, then not at all", () => {
  const steps = COLUMNS.find((column) => column.id === "steps")!;
  expect(nextSort(steps, undefined)).toBe("-timestep");
  expect(nextSort(steps, "-timestep")).toBe("timestep");
  expect(nextSort(steps, "timestep")).toBeUndefined();
});

test("a range of rows is the same from both ends", () => {
  const ids = ["a", "b", "c", "d"];
  expect(rangeBetween(ids, 1, 3)).toEqual(["b", "c", "d"]);
  expect(rangeBetween(ids, 3, 1)).toEqual(["b", "c", "d"]);
  expect(rangeBetween(ids, -1, 2)).toEqual(["c"]);
});
