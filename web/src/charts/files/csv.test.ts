import { expect, test } from "vitest";
import { csvOf } from "./export";

const line = (label: string) => ({ label, xs: [1], ys: [-5] }) as never;

test.each([
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ["+1", "'+1"],
  ["-1+1", "'-1+1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", `"'\r=1"`],
  [" =1", "' =1"],
  ["＝1", "'＝1"],
  ["a=1", "a=1"],
])("b22: the name %j begins no formula in the CSV of a chart, and numbers stay numbers", (name, cell) => {
  expect(csvOf(name, [line("b")]).text).toBe(`${cell},b\n1,-5\n`);
  expect(csvOf("step", [line(name)]).text).toBe(`step,${cell}\n1,-5\n`);
});
