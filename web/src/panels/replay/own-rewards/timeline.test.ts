import { expect, test } from "vitest";
import type { Opened } from "@/panels/replay/messages";
import {
  extentOfBars,
  type OwnTimeline,
  shareOf,
  stackedBars,
  termNames,
  timelineOf,
  totalsOf,
  valuesAt,
} from "./timeline";

const timeline: OwnTimeline = {
  name: "gentle@v1",
  rewards: [1, -1, 2, 0],
  terms: { speed: [2, 1, 2, 1], fuel: [-1, -2, 0, -1] },
  envRewards: [1, 1, 1, 1],
};

test("positive terms are stacked upwards and negative ones downwards", () => {
  const bars = stackedBars(timeline, 100);
  expect(bars.filter(({ at }) => at === 1)).toEqual([
    { at: 1, term: 0, from: 0, to: 1 },
    { at: 1, term: 1, from: 0, to: -2 },
  ]);
  expect(extentOfBars(bars)).toEqual([-2, 2]);
});

test("steps that share a column are averaged", () => {
  const speed = stackedBars(timeline, 2).filter(({ term }) => term === 0);
  expect(speed.map(({ to }) => to)).toEqual([1.5, 1.5]);
});

test("a reward without terms is one bar", () => {
  const single = { ...timeline, terms: {} };
  expect(termNames(single)).toEqual(["gentle@v1"]);
  expect(stackedBars(single, 4).map(({ to }) => to)).toEqual([1, -1, 2]);
});

test("the values of a step belong to the action that led to it", () => {
  const totals = totalsOf(timeline);
  expect(valuesAt(timeline, totals, 0)).toMatchObject({ env: null, own: null, ownSoFar: 0 });
  expect(valuesAt(timeline, totals, 9)).toMatchObject({ env: null, own: null, envSoFar: 4, ownSoFar: 2 });
  expect(valuesAt(timeline, totals, 3)).toMatchObject({
    env: 1,
    own: 2,
    envSoFar: 3,
    ownSoFar: 2,
    terms: [
      { name: "speed", value: 2 },
      { name: "fuel", value: 0 },
    ],
  });
});

test("an episode without a reward of one's own has no timeline", () => {
  expect(timelineOf({ rewards: [1, 2], own_rewards: [] as number[] } as Opened)).toBeNull();
  expect(timelineOf(null)).toBeNull();
});

test("a number that is not finite does not break the picture", () => {
  const broken = { ...timeline, terms: { speed: [Number.NaN, 1, 1, 1] } };
  expect(stackedBars(broken, 4).every(({ to }) => Number.isFinite(to))).toBe(true);
});

test("next to a longer episode a timeline fills its share of the width", () => {
  expect([shareOf(timeline, 16), shareOf(timeline, 4), shareOf(timeline, 0)]).toEqual([0.25, 1, 1]);
});
