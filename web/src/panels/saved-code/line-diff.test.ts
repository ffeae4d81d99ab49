import { expect, test } from "vitest";
import { folded, lineDiff } from "./line-diff";

const shown = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text }) => `${{ same: " ", added: "+", removed: "-" }[kind]}${text}`);

test("equal texts have no changed line", () => {
  expect(shown("a\nb", "a\nb")).toEqual([" a", " b"]);
});

test("a changed line is removed and added", () => {
  expect(shown("a\nb\nc", "a\nB\nc")).toEqual([" a", "-b", "+B", " c"]);
});

test("a moved line keeps the longest common part", () => {
  expect(shown("x\na\nb\nc", "a\nb\nc\nx")).toEqual(["-x", " a", " b", " c", "+x"]);
});

test("line numbers of both sides follow", () => {
  expect(lineDiff("a\nb", "b").map(({ before, after }) => [before, after])).toEqual([
    [1, null],
    [2, 1],
  ]);
});

test("far unchanged lines are folded into a gap", () => {
  const before = Array.from({ length: 20 }, (_, i) => `${i}`).join("\n");
  const lines = folded(lineDiff(before, before.replace("10", "ten")), 1);
  expect(lines.map((line) => line?.text ?? "…")).toEqual(["…", "9", "10", "ten", "11", "…"]);
});

test("an empty text against a longer one", () => {
  expect(shown("", "a\nb")).toEqual(["-", "+a", "+b"]);
});
