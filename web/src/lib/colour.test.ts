import { expect, test } from "vitest";
import { comparedColours, distance, runColour } from "./colour";

const ids = (count: number, batch: number) =>
  Array.from({ length: count }, (_, i) => `1nfk7${batch}mp${i.toString(36).padStart(5, "0")}`);

function leastDistance(colours: readonly string[]): number {
  const pairs = colours.flatMap((one, i) => colours.slice(i + 1).map((other) => distance(one, other)));
  return Math.min(...pairs);
}

test("a run keeps its colour, and neighbours in time get different ones", () => {
  const ids = ["1nfk71mp5kag", "1nfk71mp5kah", "1nfk71mq5kag", "1nfk71ms5kaz"];
  expect(runColour(ids[0]!, false)).toBe(runColour(ids[0]!, false));
  expect(new Set(ids.map((id) => runColour(id, false))).size).toBeGreaterThanOrEqual(3);
  expect(runColour(ids[0]!, true)).not.toBe(runColour(ids[0]!, false));
});

test.each([false, true])("compared runs have clearly different colours (dark: %s)", (dark) => {
  for (let batch = 0; batch < 50; batch++) {
    expect(leastDistance([...comparedColours(ids(2, batch), dark).values()])).toBeGreaterThan(0.13);
    expect(leastDistance([...comparedColours(ids(8, batch), dark).values()])).toBeGreaterThan(0.08);
    expect(new Set(comparedColours(ids(20, batch), dark).values()).size).toBe(20);
  }
});

test("a comparison has the same colours in any order, and a run without a clash keeps its own", () => {
  const some = ids(6, 1);
  expect(comparedColours([...some].reverse(), false)).toEqual(comparedColours(some, false));
  expect(comparedColours([some[0]!], false).get(some[0]!)).toBe(runColour(some[0]!, false));
  const kept = some.filter((id) => comparedColours(some, false).get(id) === runColour(id, false));
  expect(kept.length).toBeGreaterThanOrEqual(2);
});

test("two colours that were hard to tell apart are not both used", () => {
  expect(distance("hsl(312 68% 38%)", "hsl(282 68% 46%)")).toBeLessThan(0.13);
});
