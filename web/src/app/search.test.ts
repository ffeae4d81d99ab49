import { expect, test } from "vitest";
import { compareSearch } from "@/pages/compare/search";
import { labSearch } from "@/pages/lab/search";
import { runSearch } from "@/pages/run/search";
import { runsSearch } from "@/pages/runs/search";

test("a link keeps its parameters", () => {
  const link = {
    tab: "charts",
    smooth: 0.3,
    x: "time",
    log: true,
    from: 100,
    to: 900,
    episode: 7,
    frame: 42,
  };
  expect(runSearch(link)).toEqual(link);
});

test("values out of range are clamped, unknown ones are dropped", () => {
  expect(runSearch({ smooth: 7, x: "sideways", tab: "nope", episode: -3, from: "abc" })).toEqual({
    smooth: 0.999,
  });
});

test("a run id made of digits stays text", () => {
  expect(compareSearch({ runs: 123 })).toEqual({ runs: "123" });
  expect(runsSearch({ q: "", archived: "true" })).toEqual({ archived: true });
});

test("a link to the lab carries what was prepared", () => {
  const link = {
    env: "CartPole-v1",
    steps: 5000,
    seed: 3,
    options: { record: false },
    params: { gamma: 0.9 },
  };
  expect(labSearch(link)).toEqual(link);
  expect(labSearch({ params: "gamma", steps: -1, run: 7 })).toEqual({ run: "7" });
});

test("values of the API's lists are kept, others are dropped", () => {
  expect(runsSearch({ status: "paused", kind: "film" })).toEqual({ status: "paused", kind: "film" });
  expect(runsSearch({ status: "asleep", kind: "films", sort: "-name" })).toEqual({ sort: "-name" });
  expect(
    runSearch({ ending: "truncated", episodes: "-length", min_reward: "-3.5", min_length: 4.6 }),
  ).toEqual({ ending: "truncated", episodes: "-length", min_reward: -3.5, min_length: 5 });
});

test("one metric can be drawn over another", () => {
  expect(compareSearch({ x: "metric:value_loss" })).toEqual({ x: "metric:value_loss" });
  expect(compareSearch({ x: "metric:<script>" })).toEqual({});
});

test("parameters are an object with something in it", () => {
  expect(labSearch({ params: {} })).toEqual({});
  expect(labSearch({ params: [1] })).toEqual({});
  expect(labSearch({ solved: "no", seed: "12" })).toEqual({ seed: 12 });
});
