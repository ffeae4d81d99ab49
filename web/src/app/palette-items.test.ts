import { expect, test, vi } from "vitest";
import type { Run } from "@/api/types";
import { docPlaces, narrow, openRunItems } from "./palette-items";

test("pages, words and headings of the docs are found, titles before explanations", () => {
  const places = docPlaces(
    [
      {
        id: "howto/space",
        title: "Disk space",
        section: "How to",
        headings: [{ id: "checkpoints", title: "Checkpoints" }],
      },
    ],
    [{ id: "attempt", term: "Attempt", meaning: "one process; a resumed run has a checkpoint and several" }],
  );
  const items = places.map((place) => ({ id: `${place.page}#${place.hash ?? ""}`, ...place, run: () => {} }));
  expect(narrow(items, "check").map((item) => item.id)).toEqual([
    "howto/space#checkpoints",
    "glossary#attempt",
  ]);
  expect(narrow(items, "disk").map((item) => item.id)).toEqual(["howto/space#", "howto/space#checkpoints"]);
});

test("the open training can be run again or edited; a job or an adopted run cannot", () => {
  const [again, edit] = [vi.fn(), vi.fn()];
  const run = { name: "mine", config: { kind: "train" }, source: null } as unknown as Run;
  const items = narrow(openRunItems(run, { again, edit }), "run");
  expect(items.map(({ title, detail }) => `${title}: ${detail}`)).toEqual([
    "Run again: mine",
    "Edit and run: mine",
  ]);
  for (const item of items) item.run();
  expect([again, edit].map((move) => move.mock.calls.length)).toEqual([1, 1]);
  expect(openRunItems({ ...run, source: { tool: "x" } } as unknown as Run, { again, edit })).toEqual([]);
  expect(openRunItems({ ...run, config: { kind: "evaluate" } } as unknown as Run, { again, edit })).toEqual(
    [],
  );
  expect(openRunItems(undefined, { again, edit })).toEqual([]);
});
