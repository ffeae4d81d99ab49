import { expect, test } from "vitest";
import { changed, errorsAt, moved, otherArguments, without, withWrappers, wrappersOf } from "./chosen";

const KWARGS = { gravity: -5, wrappers: [{ id: "frame_stack", frames: 4 }, { id: "flatten" }] };

test("the wrappers are read from the arguments, and others are left alone", () => {
  expect(wrappersOf(KWARGS).map(({ id }) => id)).toEqual(["frame_stack", "flatten"]);
  expect(wrappersOf({ wrappers: "all" })).toEqual([]);
  expect(otherArguments(KWARGS)).toEqual(["gravity = -5"]);
});

test("without wrappers the argument is left out", () => {
  expect(withWrappers(KWARGS, [])).toEqual({ gravity: -5 });
  expect(withWrappers({}, [{ id: "flatten" }])).toEqual({ wrappers: [{ id: "flatten" }] });
});

test("wrappers are moved, changed and removed by their place", () => {
  const wrappers = wrappersOf(KWARGS);
  expect(moved(wrappers, 1, -1).map(({ id }) => id)).toEqual(["flatten", "frame_stack"]);
  expect(moved(wrappers, 0, -1).map(({ id }) => id)).toEqual(["frame_stack", "flatten"]);
  expect(changed(wrappers, 0, { frames: 2 })[0]).toEqual({ id: "frame_stack", frames: 2 });
  expect(without(wrappers, 0)).toEqual([{ id: "flatten" }]);
});

test("an error of the server is shown at its wrapper and field", () => {
  const errors = {
    "env_kwargs.wrappers.1": "unknown",
    "env_kwargs.wrappers.1.steps": "too small",
    seed: "no",
  };
  expect(errorsAt(errors, 1)).toEqual({ whole: "unknown", fields: { steps: "too small" } });
  expect(errorsAt(errors, 0)).toEqual({ whole: undefined, fields: {} });
});
