import { expect, test } from "vitest";
import { comparedLooks, distance, runColour } from "./colour";

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

test.each([false, true])("compared runs have clearly different colours, then dashes (dark: %s)", (dark) => {
  const looks = [...comparedLooks(ids(32, 1), dark).values()];
  expect(leastDistance(looks.slice(0, 8).map(({ colour }) => colour))).toBeGreaterThan(0.2);
  expect(new Set(looks.map(({ colour, dash }) => `${colour} ${dash}`)).size).toBe(32);
  expect(looks.slice(0, 8).every(({ dash }) => dash === undefined)).toBe(true);
});

test("the place in the comparison decides, whatever the ids are", () => {
  const [first, second] = [comparedLooks(ids(5, 1), false), comparedLooks(ids(5, 2), false)];
  expect([...first.values()]).toEqual([...second.values()]);
});
