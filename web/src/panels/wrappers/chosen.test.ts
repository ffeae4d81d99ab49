import { expect, test } from "vitest";
import type { FieldError } from "@/api/types";
import {
  changed,
  errorsAt,
  errorsOfWhole,
  hasErrors,
  moved,
  otherArguments,
  without,
  withWrappers,
  wrappersOf,
} from "./chosen";

const KWARGS = { gravity: -5, wrappers: [{ id: "frame_stack", frames: 4 }, { id: "flatten" }] };
const messages = (given: Record<string, string>): Record<string, FieldError> =>
  Object.fromEntries(
    Object.entries(given).map(([field, message]) => [field, { field, message, allowed: null }]),
  );

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
  const errors = messages({
    "env_kwargs.wrappers.1": "unknown",
    "env_kwargs.wrappers.1.steps": "too small",
    "env_kwargs.wrappers.1.mean.3": "not a number",
    "env_kwargs.wrappers.1.colour": "no such field",
    seed: "no",
  });
  const at = errorsAt(errors, 1, ["steps", "mean"]);
  expect(at.whole).toEqual(["unknown", "no such field"]);
  expect(at.fields.steps?.message).toBe("too small");
  expect(at.fields.mean?.message).toBe("not a number");
  expect(errorsAt(errors, 0, ["steps"])).toEqual({ whole: [], fields: {} });
});

test("an error about the arguments or the list belongs above the list", () => {
  const errors = messages({
    env_kwargs: "played with gravity = -5",
    "env_kwargs.wrappers": "There is no environment “grit”.",
    "env_kwargs.wrappers.0.steps": "too small",
    "env_kwargs.wrappers.5": "was removed since",
    seed: "no",
  });
  expect(errorsOfWhole(errors, [{ id: "time_limit" }])).toEqual([
    "played with gravity = -5",
    "There is no environment “grit”.",
    "was removed since",
  ]);
  expect([hasErrors(errors), hasErrors(messages({ seed: "no", env_kwargs_x: "no" }))]).toEqual([true, false]);
});
