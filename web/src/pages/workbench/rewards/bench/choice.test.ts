import { expect, test } from "vitest";
import type { CodeVersion } from "@/api/types";
import { firstChoice, type OpenReward, requestOf, roomFor, whyNotBench } from "./choice";

const version = (name: string, number: number) => ({ name, version: number }) as CodeVersion;
const OPEN: OpenReward = { source: "def", envId: "CartPole-v1", isChanged: false, version: version("a", 2) };
const KNOWN = [version("a", 1), version("b", 1), version("b", 2)];

test("up to four rewards are tried at once, the open one first", () => {
  const choice = { ...firstChoice(null), others: ["a@v1", "b@v2", "gone@v1"] };
  expect(requestOf(OPEN, choice, KNOWN).rewards).toEqual([
    { name: "a", version: 2 },
    { name: "a", version: 1 },
    { name: "b", version: 2 },
  ]);
  expect([roomFor(firstChoice(null)), roomFor(choice)]).toEqual([3, 0]);
});

test("tags narrow the runs of the environment, and can take its place", () => {
  const tagged = { ...firstChoice(null), tags: "night, slow" };
  expect(requestOf(OPEN, tagged, [])).toMatchObject({ env_id: "CartPole-v1", tags: ["night", "slow"] });
  expect(requestOf({ ...OPEN, envId: "" }, tagged, []).env_id).toBeNull();
  expect(whyNotBench({ ...OPEN, envId: "" }, tagged)).toBeNull();
  expect(whyNotBench({ ...OPEN, envId: "" }, firstChoice(null))).toContain("Choose an environment");
});

test("chosen runs are taken whatever their kind and tags", () => {
  const chosen = { ...firstChoice("r1"), tags: "night", kinds: [] };
  expect(requestOf(OPEN, chosen, [])).toEqual({
    rewards: [{ name: "a", version: 2 }],
    limit: 200,
    run_ids: ["r1"],
  });
  expect(whyNotBench(OPEN, chosen)).toBeNull();
});
