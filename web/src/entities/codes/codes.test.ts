import { beforeEach, expect, test } from "vitest";
import type { Code, CodeCheck } from "@/api/types";
import {
  draftKey,
  draftKeys,
  dropDraft,
  dropDrafts,
  hasDraft,
  keepDraft,
  moveDrafts,
  recallDraft,
} from "./drafts";
import {
  findContents,
  readSpelledCode,
  slowdownText,
  spellCode,
  spellExactCode,
  trainingCostText,
  usedBy,
  verdictOf,
  versionOfCode,
} from "./words";

const code = {
  name: "gentle",
  versions: [
    { name: "gentle", version: 3, used_by: 1, sha256: "c" },
    { name: "gentle", version: 1, used_by: 4, sha256: "a" },
  ],
} as Code;

beforeEach(() => {
  localStorage.clear();
  draftKeys.set([]);
});

test("a version is spelled and read as on the command line", () => {
  expect(spellCode({ name: "gentle", version: 2 })).toBe("gentle@v2");
  expect(readSpelledCode("gentle@v2")).toEqual({ name: "gentle", version: 2 });
  expect(readSpelledCode("land gently")).toEqual({ name: "land gently", version: null });
});

test("a link of a run names the contents, too", () => {
  const exact = { name: "land gently", version: 2, sha256: "0a".repeat(32) };
  expect(spellExactCode(exact)).toBe(`land gently@v2@${exact.sha256}`);
  expect(readSpelledCode(spellExactCode(exact))).toEqual(exact);
  expect(spellExactCode({ name: "gentle", version: 2 })).toBe("gentle@v2");
});

test("contents are found under their new name; other contents of the same name are not meant", () => {
  expect(findContents([code], { name: "gentle", version: 3, sha256: "c" })?.version).toBe(3);
  expect(findContents([code], { name: "before", version: 9, sha256: "a" })?.version).toBe(1);
  expect(findContents([code], { name: "gentle", version: 3, sha256: "other" })).toBeUndefined();
});

test("without a version the newest is meant; one that was deleted is not found", () => {
  expect(versionOfCode(code, undefined)?.version).toBe(3);
  expect(versionOfCode(code, 2)).toBeUndefined();
  expect(usedBy(code)).toBe(5);
});

test("the cost of a reward in words, once", () => {
  expect(slowdownText(0.04)).toBe(
    "Compared with the environment’s own steps it costs about 4 % of the speed.",
  );
  expect(trainingCostText(0.04)).toBe("It costs about 4 % of this training’s speed.");
  expect(trainingCostText(0.001)).toBe("It costs less than 1 % of this training’s speed.");
  expect(slowdownText(0.4)).toBeNull();
  expect(slowdownText(null)).toBeNull();
});

test("a warning does not make code unusable", () => {
  const check = {
    is_usable: true,
    calls: 1000,
    remarks: [{ level: "warning", line: 1, message: "" }],
  } as unknown as CodeCheck;
  expect(verdictOf(check)).toBe("warned");
  expect(verdictOf({ ...check, is_usable: false })).toBe("wrong");
  expect(verdictOf({ ...check, calls: 0, calls_per_second: null, environment: null })).toBe("untried");
  expect(verdictOf({ ...check, calls: 0, calls_per_second: 900, environment: null })).toBe("warned");
});

test("each version has its own draft, and dropping it forgets the text", () => {
  const key = draftKey("reward", "gentle", 3);
  keepDraft(key, { source: "x", env_id: "" });
  expect(recallDraft(key)?.source).toBe("x");
  expect(recallDraft(draftKey("reward", "gentle", 1))).toBeNull();
  expect(hasDraft(draftKeys.get(), "reward", "gentle")).toBe(true);
  expect(hasDraft(draftKeys.get(), "reward", "gen")).toBe(false);
  dropDraft(key);
  expect([recallDraft(key), draftKeys.get()]).toEqual([null, []]);
});

test("a rename moves the drafts of all versions, also to a name that begins with the old one", () => {
  keepDraft(draftKey("reward", "gentle", 1), { source: "one", env_id: "" });
  keepDraft(draftKey("reward", "gentle", 3), { source: "three", env_id: "" });
  keepDraft(draftKey("evaluation", "gentle", 1), { source: "other kind", env_id: "" });
  moveDrafts("reward", "gentle", "gentle 2");
  expect(hasDraft(draftKeys.get(), "reward", "gentle")).toBe(false);
  expect(recallDraft(draftKey("reward", "gentle 2", 3))?.source).toBe("three");
  expect(recallDraft(draftKey("reward", "gentle", 3))).toBeNull();
  expect(hasDraft(draftKeys.get(), "evaluation", "gentle")).toBe(true);
});

test("deleting a version drops its draft, deleting the name drops all", () => {
  for (const version of [1, 2, 3])
    keepDraft(draftKey("reward", "gentle", version), { source: "x", env_id: "" });
  dropDrafts("reward", "gentle", 2);
  expect(draftKeys.get()).toEqual([draftKey("reward", "gentle", 1), draftKey("reward", "gentle", 3)]);
  dropDrafts("reward", "gentle", null);
  expect([draftKeys.get(), recallDraft(draftKey("reward", "gentle", 3))]).toEqual([[], null]);
});

test("a draft that another tab has begun stays in the list, and is shown here", () => {
  const [own, other] = [draftKey("reward", "gentle", 3), draftKey("reward", null, null)];
  localStorage.setItem("rl-lab.code-drafts", JSON.stringify([other]));
  keepDraft(own, { source: "x", env_id: "" });
  expect(draftKeys.get()).toEqual([other, own]);
  localStorage.setItem("rl-lab.code-drafts", JSON.stringify([own]));
  window.dispatchEvent(new StorageEvent("storage", { key: "rl-lab.code-drafts" }));
  expect(draftKeys.get()).toEqual([own]);
});

test("typing on does not draw the lists again", () => {
  const key = draftKey("reward", "gentle", 3);
  keepDraft(key, { source: "x", env_id: "" });
  const before = draftKeys.get();
  keepDraft(key, { source: "xy", env_id: "" });
  expect(draftKeys.get()).toBe(before);
});
