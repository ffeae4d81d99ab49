import { describe, expect, it } from "vitest";
import {
  collectDraft,
  collectOperation,
  counted,
  episodesDraft,
  hashProblem,
  importDraft,
  importOperation,
  makeOperation,
  NEW_POLICY,
  nameFrom,
  shareCounts,
  suggestName,
  whyNoCollection,
  whyNoEpisodes,
  whyNoImport,
  whyNoName,
} from "./draft";
import { forecastText, whyRefused } from "./forecast";
import { numberOf, numberProblem } from "./numbers";

describe("a dataset from episodes", () => {
  it("keeps what was chosen elsewhere", () => {
    const choose = { runs: ["r1"], kinds: ["play" as const], return_min: 5, best: 20 };
    expect(makeOperation({ ...episodesDraft(choose), name: " mine ", tags: "a, b" })).toMatchObject({
      do: "make",
      name: "mine",
      choose: { ...choose, tags: ["a", "b"], newest: null, return_max: null, env_id: null },
    });
  });

  it("says what is missing", () => {
    const draft = episodesDraft();
    expect(whyNoEpisodes(draft)).toBeNull();
    expect(whyNoEpisodes({ ...draft, kinds: [] })).toContain("kind");
    expect(whyNoEpisodes({ ...draft, lengthMin: "x" })).toContain("number");
    expect(whyNoEpisodes({ ...draft, limit: "best" })).toContain("how many");
    expect(whyNoName(" ")).toContain("name");
    expect(counted(makeOperation(draft))).toMatchObject({ do: "make", name: "counted" });
    expect(counted(makeOperation({ ...draft, name: "mine" }))).toMatchObject({ name: "mine" });
  });
});

describe("a dataset that is collected", () => {
  it("needs an environment for random actions only", () => {
    const draft = collectDraft();
    expect(whyNoCollection(draft)).toContain("environment");
    expect(whyNoCollection({ ...draft, envId: "CartPole-v1" })).toBeNull();
    expect(whyNoCollection({ ...draft, policies: [{ ...NEW_POLICY, runId: "r1" }] })).toBeNull();
    const noisy = { ...NEW_POLICY, runId: "r1", noise: "2" };
    expect(whyNoCollection({ ...draft, policies: [noisy] })).toContain("number");
  });

  it("is shared among the policies", () => {
    const policies = [
      { ...NEW_POLICY, runId: "r1", share: "7", noise: "0.1" },
      { ...NEW_POLICY, share: "3", noise: "0.5" },
    ];
    const draft = { ...collectDraft(), policies, envId: "" };
    expect(shareCounts(draft)).toEqual([70, 30]);
    expect(collectOperation(draft)).toMatchObject({
      env_id: null,
      policies: [
        { run_id: "r1", checkpoint: null, share: 7, noise: 0.1 },
        { run_id: null, checkpoint: null, share: 3, noise: 0 },
      ],
    });
  });
});

describe("an import", () => {
  it("names one source", () => {
    const draft = { ...importDraft(), path: "/data/a.npz", upload: "u1", name: "a" };
    expect(importOperation({ ...draft, from: "path" })).toMatchObject({ path: "/data/a.npz", upload: null });
    expect(importOperation({ ...draft, from: "upload" })).toMatchObject({
      path: null,
      upload: "u1",
      minari: null,
      buffer_of: null,
    });
    expect(whyNoImport(importDraft())).toContain("file");
    expect(whyNoImport({ ...draft, sha256: "abc" })).toContain("64");
    expect(hashProblem("A".repeat(64))).toBeUndefined();
  });

  it("is named after its file", () => {
    expect(nameFrom("/data/Hopper Medium.HDF5")).toBe("hopper-medium");
    expect(suggestName("ALE/Pong-v5")).toBe("pong-v5");
  });
});

it("a forecast is told in words", () => {
  const free = {
    free_bytes: 40e9,
    notes: [],
    problem: null,
    remedy: null,
    returns: null,
    seconds: null,
  };
  expect(forecastText({ episodes: 0, transitions: 0, bytes: 0, ...free })).toContain("No episode");
  expect(forecastText({ episodes: 120, transitions: 24000, bytes: 3.2e6, ...free })).toBe(
    "120 episodes, 24,000 steps, about 3.2 MB; 40 GB are free.",
  );
  expect(forecastText({ episodes: 1, transitions: 9, bytes: 500, ...free, seconds: 0.02 })).toContain(
    "less than a second",
  );
  expect(whyRefused({ episodes: 1, transitions: 1, bytes: 50e9, ...free })).toContain("disk");
  const refused = { problem: "Two environments.", remedy: "Choose one." };
  expect(whyRefused({ episodes: 1, transitions: 1, bytes: 1, ...free, ...refused })).toBe(
    "Two environments. Choose one.",
  );
  const nothing = { episodes: null, transitions: null, bytes: null };
  expect(forecastText({ ...nothing, ...free, ...refused }), "only the problem counts").toBe("");
});

it("numbers are read as they are typed", () => {
  expect([numberOf("−5"), numberOf(" "), numberOf("x"), numberOf("1e3")]).toEqual([-5, null, null, 1000]);
  expect(numberProblem("", "count")).toBeUndefined();
  expect(numberProblem("0", "count")).toContain("whole");
  expect(numberProblem("1.5", "share")).toContain("0 to 1");
});
