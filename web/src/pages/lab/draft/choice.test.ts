import { expect, test } from "vitest";
import { choiceIn, inEnvironment, isSameChoice, tagsOf, withChoice } from "@/pages/lab/draft/choice";

test("a link without a choice leaves the kept one alone", () => {
  expect(choiceIn({})).toBeNull();
  expect(choiceIn({ run: "abc", evaluation: "def" })).toBeNull();
  expect(choiceIn({ run: "abc", env: "LunarLander-v3" })).toEqual({ env: "LunarLander-v3" });
});

test("the order of a link's parameters does not matter", () => {
  expect(
    isSameChoice(
      choiceIn({ seed: 1, env: "CartPole-v1" }),
      choiceIn({ env: "CartPole-v1", params: undefined, seed: 1 }),
    ),
  ).toBe(true);
  expect(isSameChoice(choiceIn({ seed: 1 }), null)).toBe(false);
});

test("a new choice replaces the whole old one and keeps what the stage shows", () => {
  const link = { run: "abc", env: "CartPole-v1", steps: 5, solved: true };
  expect(choiceIn(withChoice(link, { env: "Acrobot-v1", params: {} }))).toEqual({ env: "Acrobot-v1" });
  expect(withChoice(link, {}).run).toBe("abc");
});

test("an older link that stops when solved is understood", () => {
  expect(choiceIn({ solved: true })).toEqual({ options: { until: "solved" } });
});

test("tags are separated by commas, without repeats", () => {
  expect(tagsOf(" a, b,,a ")).toEqual(["a", "b"]);
  expect(tagsOf(undefined)).toEqual([]);
});

test("another environment drops its arguments, its steps and the reward with the question about it", () => {
  const choice = {
    algorithm: "turbo/ppo",
    steps: 5,
    reward: "gentle@v1",
    env_kwargs: { wrappers: [{ id: "flatten" }] },
    options: { judge_by: "reward", until: "solved" },
  };
  expect(choiceIn(inEnvironment(choice, "Acrobot-v1", "CartPole-v1"))).toEqual({
    env: "Acrobot-v1",
    algorithm: "turbo/ppo",
    options: { until: "solved" },
  });
  // The link does not name the environment that the form begins with.
  expect(inEnvironment(choice, "CartPole-v1", "CartPole-v1")).toEqual({ ...choice, env: "CartPole-v1" });
});
