import { expect, test } from "vitest";
import { filterOf } from "./queries";

test("an episode filter contains only what is in the address", () => {
  expect(filterOf({})).toEqual({});
  expect(filterOf({ min_reward: -5, episodes: "-reward", ending: "truncated" })).toEqual({
    min_reward: -5,
    sort: "-reward",
    ending: "truncated",
  });
});
