import { expect, test } from "vitest";
import { countScale, parseCount, parseCountUpTo } from "./count";

test("a count is read as people type it", () => {
  for (const text of ["300000", "300,000", "300 000", "300_000", "300k", "3e5", "0.3M"])
    expect(parseCount(text)).toBe(300_000);
  expect(parseCount("1.1M")).toBe(1_100_000);
  expect(parseCount(" ")).toBeNull();
});

test("what is not a whole number is refused instead of repaired", () => {
  for (const text of ["1-5", "0.5", "many", "-3", "1e", "5kk"]) expect(parseCount(text)).toBeNaN();
});

test("the slider moves by factors and stays inside its bounds", () => {
  const scale = countScale(1_000, 1e7);
  expect(scale.toValue(0)).toBe(1_000);
  expect(scale.toValue(0.5)).toBe(100_000);
  expect(scale.toValue(1)).toBe(1e7);
  expect(scale.toPosition(100_000)).toBeCloseTo(0.5);
  expect([scale.toPosition(1), scale.toPosition(1e9)]).toEqual([0, 1]);
});

test("a count beyond its limits is answered with them", () => {
  expect(parseCountUpTo("8", 256)).toEqual({ value: 8, problem: null });
  expect(parseCountUpTo(" ", 256)).toEqual({ value: null, problem: null });
  for (const text of ["0", "257", "many", "-1", "2.5"])
    expect(parseCountUpTo(text, 256).problem).toBe("A number from 1 to 256.");
});
