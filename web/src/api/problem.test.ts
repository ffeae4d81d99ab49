import { expect, test } from "vitest";
import { problemFrom } from "./problem";

const error = (field: string) => ({ field, message: "There is no such script." });

test("an error of one field is shown without the field's path", () => {
  const detail = "params.command: There is no such script.";
  const { problem } = problemFrom(422, { detail, errors: [error("params.command")] });
  expect(problem.detail).toBe("There is no such script.");
});

test("errors of several fields keep their paths", () => {
  const detail = "seed: too low; q: too long";
  const { problem } = problemFrom(422, { detail, errors: [error("seed"), error("q")] });
  expect(problem.detail).toBe(detail);
});
