import { expect, test } from "vitest";
import type { Metrics } from "@/api/types";
import { pointsFollower } from "./follow-points";

/** Points with the numbers from `first` to `last`. */
const span = (first: number, last: number): Metrics => {
  const index = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const reward = { index, step: index, time: index, value: index, total: last + 1 };
  return { series: { reward } };
};

/** A cache and a lab that has `stored` points when it is asked. */
function lab(known: Metrics) {
  const state = { known, stored: known, requests: 0, fails: false };
  const follow = pointsFollower(
    {
      read: () => state.known,
      write: (metrics) => {
        state.known = metrics;
      },
      fetch: async () => {
        state.requests++;
        const snapshot = state.stored;
        await Promise.resolve();
        if (state.fails) throw new Error("away");
        state.known = snapshot;
      },
    },
    1000,
  );
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return { state, follow, settled, shown: () => state.known.series.reward!.index };
}

const upTo = (last: number) => span(0, last).series.reward!.index;

test("points that follow the known ones are added without a request", () => {
  const { state, follow, shown } = lab(span(0, 3));
  follow({ items: [span(2, 5), span(6, 6)], reset: false });
  expect(shown()).toEqual(upTo(6));
  expect(state.requests).toBe(0);
});

test("missing points are fetched once, and points pushed meanwhile are kept", async () => {
  const { state, follow, settled, shown } = lab(span(0, 3));
  state.stored = span(0, 9);
  follow({ items: [span(8, 9)], reset: false });
  follow({ items: [span(10, 12)], reset: false });
  await settled();
  expect(shown()).toEqual(upTo(12));
  expect(state.requests).toBe(1);
});

test("a reset fetches again even if no point was pushed", async () => {
  const { state, follow, settled, shown } = lab(span(0, 3));
  state.stored = span(0, 9);
  follow({ items: [], reset: true });
  await settled();
  expect(shown()).toEqual(upTo(9));
});

test("a response older than the pushed points is asked for a second time", async () => {
  const { state, follow, settled, shown } = lab(span(0, 3));
  follow({ items: [span(8, 9)], reset: false });
  state.stored = span(0, 9);
  await settled();
  expect(shown()).toEqual(upTo(9));
  expect(state.requests).toBe(2);
});

test("after a failed request the next message tries again", async () => {
  const { state, follow, settled, shown } = lab(span(0, 3));
  Object.assign(state, { stored: span(0, 9), fails: true });
  follow({ items: [span(8, 9)], reset: false });
  await settled();
  expect(shown()).toEqual(upTo(3));
  state.fails = false;
  follow({ items: [span(10, 10)], reset: false });
  await settled();
  expect(shown()).toEqual(upTo(9).concat(10));
});
