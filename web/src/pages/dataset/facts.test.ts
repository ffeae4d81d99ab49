import { expect, test } from "vitest";
import type { Dataset, DatasetVersion } from "@/api/types";
import { removedBy } from "./dialogs/EditForms";
import { mergeable } from "./dialogs/MergeForm";
import { comparedRows, factsOf, qualityOf, whyNotWatched } from "./facts";

const version = (more: object = {}): DatasetVersion =>
  ({
    name: "lander",
    version: 1,
    env_id: "LunarLander-v3",
    observation_space: { type: "Box", shape: [8] },
    action_space: { type: "Discrete", n: 4 },
    env_kwargs: {},
    episodes: 10,
    transitions: 900,
    size: 4200,
    created_at: "2026-01-01T00:00:00Z",
    statistics: {
      return_mean: 12,
      return_std: 0,
      return_min: 1,
      return_median: 12,
      return_max: 20,
      length_mean: 90,
      length_min: 60,
      length_max: 120,
      terminated: 7,
      truncated: 3,
      duplicates: 0,
      not_finite: { rewards: 2, actions: 0 },
      by_person: 450,
    },
    ...more,
  }) as unknown as DatasetVersion;
const textOf = (facts: { title: string; value: string }[], title: string) =>
  facts.find((fact) => fact.title === title)?.value;

test("spaces, licence and numbers are facts; what is missing is left out or named", () => {
  const facts = factsOf(version());
  expect(textOf(facts, "Action")).toBe("one of 4");
  expect(textOf(facts, "Licence")).toBe("not stated");
  expect(textOf(facts, "Source")).toBeUndefined();
  expect(textOf(factsOf(version({ env_id: "" })), "Environment")).toBe("not named by its source");
});

test("the runs that learned from a version are one link away, by its hash", () => {
  const learned = (more: object) => factsOf(version(more)).find(({ title }) => title === "Learned by");
  expect(learned({ learned_by: 2, sha256: "ab" })).toMatchObject({ value: "2 runs", learners: "ab" });
  expect(learned({ learned_by: 0, sha256: "ab" })).toMatchObject({
    value: "no run yet",
    learners: undefined,
  });
});

test("quality is told with shares", () => {
  const facts = qualityOf(version());
  expect(textOf(facts, "Terminated")).toBe("7 of 10 (70 %)");
  expect(textOf(facts, "NaN or infinite")).toBe("rewards: 2");
  expect(textOf(facts, "By a person")).toBe("450 of 900 (50 %)");
});

test("versions are compared row by row", () => {
  const rows = comparedRows([version(), version({ episodes: 11 })]);
  expect(rows.find(({ title }) => title === "Episodes")).toEqual({
    title: "Episodes",
    values: ["10", "11"],
    isSame: false,
  });
  expect(rows.find(({ title }) => title === "Action")?.isSame).toBe(true);
});

test("an episode without a seed or an environment has no picture", () => {
  expect(whyNotWatched(version(), { seed: 0 })).toBeNull();
  expect(whyNotWatched(version(), { seed: null })).toContain("seed is not known");
  expect(whyNotWatched(version({ env_id: "" }), { seed: 3 })).toContain("environment");
});

test("versions with the same spaces and environment can be merged", () => {
  const one = version();
  const datasets = [
    { name: "lander", versions: [one, version({ version: 2 })] },
    {
      name: "other",
      versions: [version({ name: "other", version: 5 }), version({ name: "other", version: 4 })],
    },
    { name: "wide", versions: [version({ name: "wide", action_space: { type: "Discrete", n: 9 } })] },
  ] as unknown as Dataset[];
  expect(mergeable(datasets, one).map(({ name, version: v }) => `${name}${v}`)).toEqual([
    "lander2",
    "other5",
  ]);
});

test("retention counts the versions that would go; pinned ones and those of trainings stay", () => {
  const versions = [{}, { pinned: true }, {}, { learned_by: 1 }, {}] as unknown as DatasetVersion[];
  expect([removedBy({ versions }, 1), removedBy({ versions }, 5)]).toEqual([2, 0]);
});
