import { expect, test } from "vitest";
import { targetOf, whyNot } from "./target";

const start = { run_id: "r", episode: 2 };
const opened = (more: object) => ({ length: 9, exact: true, note: "", ...more }) as never;

test("an episode is taken over at any step before its last", () => {
  const target = targetOf("Episode 2", start, { opened: opened({}), failure: null });
  expect([0, 8, 9].map((step) => whyNot(target, step) === null)).toEqual([true, true, false]);
});

test("the reason is said where no step can be taken over", () => {
  expect(whyNot(targetOf("E", start, { opened: null, failure: null }), 0)).toBe(
    "The replay is not open yet.",
  );
  const differs = { opened: opened({ exact: false, note: "Step 4 differs." }), failure: null };
  expect(whyNot(targetOf("E", start, differs), 0)).toContain("Step 4 differs.");
  const failed = { opened: null, failure: { message: "It is no longer installed." } };
  expect(whyNot(targetOf("E", start, failed), 0)).toBe("It is no longer installed.");
});

test("that it is not known whether the simulation matches is no reason", () => {
  const target = targetOf("E", start, { opened: opened({ exact: null }), failure: null });
  expect(whyNot(target, 0)).toBeNull();
});
