import { expect, test } from "vitest";
import { shareOf, worstFirst } from "./recent";

test("what is wrong comes first, the order of the rest stays", () => {
  const found = ["ok", "warning", "ok", "problem"].map((level, id) => ({ id, level }));
  expect(worstFirst(found).map((f) => f.id)).toEqual([3, 1, 0, 2]);
});

test("a share of nothing is nothing", () => {
  expect(shareOf(1, 4)).toBe(0.25);
  expect(shareOf(0, 0)).toBe(0);
});
