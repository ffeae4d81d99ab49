import { expect, test } from "vitest";
import type { Code, WrapperInfo } from "@/api/types";
import { codeOptions, otherFields } from "./custom";

const code = (name: string, ...versions: number[]): Code =>
  ({ name, versions: versions.map((version) => ({ name, version })) }) as Code;
const codes = [code("grid world", 2, 1), code("noise", 1)];
const titles = (chosen: string) => codeOptions(codes, chosen).map(({ title }) => title);

test("every saved version can be chosen", () => {
  expect(titles("grid world@v1")).toEqual([
    "Choose saved code…",
    "grid world@v2",
    "grid world@v1",
    "noise@v1",
  ]);
});

test("what a link names stays in the list, also without a version or when it is no longer saved", () => {
  expect(titles("noise")[1]).toBe("noise, newest version");
  expect(titles("gone@v3")[1]).toBe("gone@v3");
});

test("the field of the code has a list of its own", () => {
  const params_schema = { properties: { code: {}, wrapper: {} } };
  const named = (id: string) => otherFields({ id, params_schema } as unknown as WrapperInfo);
  expect(Object.keys(named("custom").properties as object)).toEqual(["wrapper"]);
  expect(Object.keys(named("time_limit").properties as object)).toEqual(["code", "wrapper"]);
});
