import { expect, test } from "vitest";
import { docPlaces, narrow } from "./palette-items";

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
