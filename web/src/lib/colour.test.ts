import { expect, test } from "vitest";
import { runColour } from "./colour";

test("a run keeps its colour, and neighbours in time get different ones", () => {
  const ids = ["1nfk71mp5kag", "1nfk71mp5kah", "1nfk71mq5kag", "1nfk71ms5kaz"];
  expect(runColour(ids[0]!, false)).toBe(runColour(ids[0]!, false));
  expect(new Set(ids.map((id) => runColour(id, false))).size).toBeGreaterThanOrEqual(3);
  expect(runColour(ids[0]!, true)).not.toBe(runColour(ids[0]!, false));
});
