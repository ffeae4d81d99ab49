import { expect, test } from "vitest";
import { compareSearch, labSearch, runSearch, runsSearch } from "./search";

test("a link keeps what it says about a run's page", () => {
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

test("values out of range are brought back, unknown ones fall away", () => {
  expect(runSearch({ smooth: 7, x: "sideways", tab: "nope", episode: -3, from: "abc" })).toEqual({
    smooth: 0.999,
  });
});

test("a run id made of digits stays text", () => {
  expect(compareSearch({ runs: 123 })).toEqual({ runs: "123" });
  expect(runsSearch({ q: "", archived: "true" })).toEqual({ archived: true });
});

test("a link to the lab carries what was prepared", () => {
  const link = { env: "CartPole-v1", steps: 5000, seed: 3, solved: true, params: { gamma: 0.9 } };
  expect(labSearch(link)).toEqual(link);
  expect(labSearch({ params: "gamma", steps: -1, run: 7 })).toEqual({ run: "7" });
});
