import { expect, test } from "vitest";
import type { Code } from "@/api/types";
import { offeredRewards } from "./offered";

const hash = (name: string, version: number) => `${name.length}${version}`.padEnd(64, "0");
const code = (name: string, ...versions: number[]): Code =>
  ({
    name,
    versions: versions.map((version) => ({ name, version, sha256: hash(name, version) })),
  }) as Code;
const codes = [code("gentle", 3, 2, 1), code("quick", 1)];
const titles = (chosen: string) => offeredRewards(codes, chosen).map(({ title }) => title);
const values = (chosen: string) => offeredRewards(codes, chosen).map(({ value }) => value);

test("the newest version of each reward is offered", () => {
  expect(values("")).toEqual(["gentle@v3", "quick@v1"]);
  expect(values("quick@v1")).toEqual(["gentle@v3", "quick@v1"]);
});

test("an older version that a link names stays in the list", () => {
  expect(values("gentle@v1")).toEqual(["gentle@v3", "gentle@v1", "quick@v1"]);
  expect(values("gone@v2")).toEqual(["gone@v2", "gentle@v3", "quick@v1"]);
});

test("a link with a hash shows the name, and is not listed twice", () => {
  const exact = `quick@v1@${hash("quick", 1)}`;
  expect(values(exact)).toEqual(["gentle@v3", exact]);
  expect(titles(exact)).toEqual(["gentle@v3", "quick@v1"]);
});

test("contents that were renamed are shown under their new name, those that are gone as the run’s copy", () => {
  expect(titles(`slow@v7@${hash("gentle", 2)}`)).toEqual(["gentle@v3", "gentle@v2", "quick@v1"]);
  expect(titles(`gentle@v3@${"f".repeat(64)}`)).toEqual([
    "gentle@v3",
    "gentle@v3 (the run’s copy)",
    "quick@v1",
  ]);
});
