import { expect, test } from "vitest";
import { longerOf, timeText } from "./longer";

test("an amount and its unit become one of three fields", () => {
  expect(longerOf("100,000", "steps")).toEqual({ more_timesteps: 100_000, inexact: false });
  expect(longerOf("1.5", "minutes", true)).toEqual({ more_seconds: 90, inexact: true });
  expect(longerOf("20", "episodes")).toMatchObject({ more_episodes: 20 });
  for (const wrong of ["", "0", "-3", "many", "1.5"]) expect(longerOf(wrong, "steps")).toBeNull();
});

test("the time is that of the steps to come", () => {
  const speed = { steps_per_second: 1000, is_measured: true, runs: 2, steps_per_episode: 50 };
  expect(timeText({ more_timesteps: 90_000, inexact: false }, speed)).toBe(
    "About 1 min 30 s at 1000 steps/s, measured on this machine.",
  );
  expect(timeText({ more_episodes: 100, inexact: false }, { ...speed, is_measured: false })).toBe(
    "About 5.0 s at 1000 steps/s, a rough figure.",
  );
  expect(timeText({ more_timesteps: 1, inexact: false }, undefined)).toBe("");
});
