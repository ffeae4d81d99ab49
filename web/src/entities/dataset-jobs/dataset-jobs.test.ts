import { describe, expect, it } from "vitest";
import type { DatasetOperation, Run } from "@/api/types";
import { choiceOf } from "./choice";
import {
  datasetsOfRun,
  endedJobs,
  exportedFile,
  exportsOf,
  isShown,
  jobsAbout,
  namesOf,
  operationText,
} from "./jobs";

const job = (operation: DatasetOperation, more: object = {}): Run =>
  ({
    id: "r1",
    kind: "dataset",
    status: "running",
    config: { kind: "dataset", operation },
    summary: {},
    ...more,
  }) as unknown as Run;
const OF = { name: "lander", version: 2 };

describe("jobs", () => {
  const merge: DatasetOperation = { do: "merge", name: "both", of: [OF, { name: "other" }] };

  it("are described, and belong to every dataset that they read or write", () => {
    expect(operationText({ do: "export", of: OF, format: "npz" })).toBe("Export lander@v2 as NPZ");
    expect(operationText(merge)).toBe("Merge lander@v2, other into both");
    expect(namesOf(merge)).toEqual(["both", "lander", "other"]);
    expect(jobsAbout([job(merge), job({ do: "check", of: { name: "x" } })], "other")).toHaveLength(1);
  });

  it("are shown while they work, and when they failed within a day", () => {
    const failed = job(merge, { status: "failed", ended_at: "2026-01-01T12:00:00Z" });
    const soon = Date.parse("2026-01-01T13:00:00Z");
    expect(isShown(job(merge), [])).toBe(true);
    expect(isShown(failed, [], soon)).toBe(true);
    expect(isShown(failed, ["r1"], soon)).toBe(false);
    expect(isShown(failed, [], soon + 86_400_000)).toBe(false);
    expect(isShown(job(merge, { status: "succeeded" }), [])).toBe(false);
  });

  it("change the list of datasets when they end, and when their versions are in place", () => {
    const ended = (updated_at: string) => job(merge, { status: "succeeded", updated_at });
    expect(endedJobs([job(merge)])).toBe("");
    expect(endedJobs([ended("1"), job(merge)])).not.toBe(endedJobs([ended("2")]));
  });

  it("lead to the exact version", () => {
    const made = job(merge, { summary: { result: { do: "merge", message: "", versions: ["both@v3"] } } });
    expect(datasetsOfRun(made)).toEqual({ word: "made", versions: [{ name: "both", version: 3 }] });
    expect(datasetsOfRun(job({ do: "verify", of: OF }))).toEqual({ word: "of", versions: [OF] });
    const training = {
      kind: "train",
      config: { kind: "train", dataset: { ...OF, sha256: "x" } },
      summary: {},
    };
    expect(datasetsOfRun(training as unknown as Run)).toEqual({ word: "learned from", versions: [OF] });
    expect(exportsOf([job({ do: "export", of: OF, format: "npz" })], "lander", 2)).toHaveLength(1);
    expect(exportsOf([job({ do: "export", of: OF, format: "npz" })], "lander", 1)).toHaveLength(0);
  });

  it("have one exported file among the files of their run", () => {
    const files = [{ path: "config.json" }, { path: "export/lander-v2.npz" }];
    const result = { do: "export", message: "", artifact: "export/lander-v2.npz" };
    const exported = job({ do: "export", of: OF, format: "npz" }, { summary: { result } });
    expect(exportedFile(exported, files)).toBe(files[1]);
    expect(exportedFile(job(merge), files)).toBeUndefined();
  });
});

it("the listed episodes of a run become the choice of a dataset", () => {
  expect(
    choiceOf({ id: "r7", kind: "play" }, { min_reward: 0, max_length: 9, sort: "-reward" }),
  ).toMatchObject({
    runs: ["r7"],
    kinds: ["play"],
    return_min: 0,
    return_max: null,
    length_max: 9,
  });
});
