import { expect, test } from "vitest";
import type { Code } from "@/api/types";
import { offeredRewards } from "./offered";

const code = (name: string, ...versions: number[]): Code =>
  ({ name, versions: versions.map((version) => ({ name, version })) }) as Code;
const codes = [code("gentle", 3, 2, 1), code("quick", 1)];

test("the newest version of each reward is offered", () => {
  expect(offeredRewards(codes, "")).toEqual(["gentle@v3", "quick@v1"]);
  expect(offeredRewards(codes, "quick@v1")).toEqual(["gentle@v3", "quick@v1"]);
});

test("an older version that a link names stays in the list", () => {
  expect(offeredRewards(codes, "gentle@v1")).toEqual(["gentle@v3", "gentle@v1", "quick@v1"]);
  expect(offeredRewards(codes, "gone@v2")).toEqual(["gone@v2", "gentle@v3", "quick@v1"]);
});
