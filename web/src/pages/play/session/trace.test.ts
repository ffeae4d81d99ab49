import { expect, test } from "vitest";
import type { PlayedStep } from "@/panels/stage/player";
import { afterSteps, NO_TRACE, shareOfPerson } from "./trace";

const step = (number: number, sum: number, who: PlayedStep["who"] = "person", episode = 1): PlayedStep => ({
  episode,
  step: number,
  reward: 1,
  return: sum,
  who,
});

test("steps are added as they arrive, and a new episode begins anew", () => {
  const first = afterSteps(NO_TRACE, [
    step(0, 0, null),
    step(1, 1),
    step(2, 2, "agent"),
    step(2, 2, "agent"),
  ]);
  expect(first).toMatchObject({ rewards: [1, 1], who: [1, 0], sum: 2 });
  expect(shareOfPerson(first)).toBe(0.5);
  const second = afterSteps(first, [step(0, 0, null, 2), step(1, 1, "agent", 2)]);
  expect(second).toMatchObject({ episode: 2, rewards: [1], who: [0] });
  expect(afterSteps(second, [step(0, 0, null, 2)])).toMatchObject({ rewards: [], who: [] });
});

test("steps whose pictures were skipped get the rest of the return", () => {
  const trace = afterSteps(NO_TRACE, [step(1, 1), step(4, 8)]);
  expect(trace).toMatchObject({ rewards: [1, 3, 3, 1], who: [1, 1, 1, 1], sum: 8 });
});

test("a skipped first step is known when the beginning of the episode was seen", () => {
  const trace = afterSteps(NO_TRACE, [step(0, 0, null), step(2, 2)]);
  expect(trace).toMatchObject({ rewards: [1, 1], who: [1, 1] });
});

test("what happened before the page was opened is not known", () => {
  const trace = afterSteps(NO_TRACE, [step(3, 3)]);
  expect(trace).toMatchObject({ rewards: [0, 0, 1], who: [-1, -1, 1] });
  expect(shareOfPerson(NO_TRACE)).toBeNull();
});
