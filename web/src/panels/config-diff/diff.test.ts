import { expect, test } from "vitest";
import { flattened, valueText } from "@/entities/run-labels/settings";
import { diffOf } from "./diff";

test("what differs comes first, each half in its own order", () => {
  const rows = diffOf([
    { a: 1, b: 2, c: [64, 64] },
    { a: 1, b: 3, c: [64, 64], d: null },
  ]);
  expect(rows.map((row) => [row.name, row.differs])).toEqual([
    ["b", true],
    ["d", true],
    ["a", false],
    ["c", false],
  ]);
});

test("settings within settings get a dotted name", () => {
  expect(flattened({ env: { gravity: -10 }, net: [1, 2], none: {} })).toEqual({
    "env.gravity": -10,
    net: [1, 2],
    none: {},
  });
});

test("values read as a person writes them", () => {
  expect([valueText(0.0003), valueText(null), valueText(undefined), valueText([64, 64])]).toEqual([
    "3e-4",
    "none",
    "–",
    "[64,64]",
  ]);
});
