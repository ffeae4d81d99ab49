import { beforeEach, expect, test } from "vitest";
import type { Code, CodeCheck } from "@/api/types";
import { draftKey, draftKeys, dropDraft, hasDraft, keepDraft, recallDraft } from "./drafts";
import { readSpelledCode, slowdownText, spellCode, usedBy, verdictOf, versionOfCode } from "./words";

const code = {
  name: "gentle",
  versions: [
    { name: "gentle", version: 3, used_by: 1 },
    { name: "gentle", version: 1, used_by: 4 },
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

test("without a version the newest is meant; one that was deleted is not found", () => {
  expect(versionOfCode(code, undefined)?.version).toBe(3);
  expect(versionOfCode(code, 2)).toBeUndefined();
  expect(usedBy(code)).toBe(5);
});

test("the cost of a reward in words, once", () => {
  expect(slowdownText(0.04)).toBe("This costs about 4 % of your speed.");
  expect(slowdownText(0.001)).toBe("This costs less than 1 % of your speed.");
  expect(slowdownText(0.4)).toBeNull();
  expect(slowdownText(null)).toBeNull();
});

test("a warning does not make code unusable", () => {
  const check = {
    is_usable: true,
    remarks: [{ level: "warning", line: 1, message: "" }],
  } as unknown as CodeCheck;
  expect(verdictOf(check)).toBe("warned");
  expect(verdictOf({ ...check, is_usable: false })).toBe("wrong");
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
