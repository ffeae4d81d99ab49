import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { rowsOf } from "./use-folded-rows";

const run = (id: string, study_id: string | null = null) => ({ id, study_id }) as Run;

test("a study is one row, and its runs follow it while it is unfolded", () => {
  const listed = [run("a"), run("b", "s"), run("c")];
  expect(rowsOf(listed, true, new Map()).map((row) => row.key)).toEqual(["a", "study s", "c"]);
  const open = rowsOf(listed, true, new Map([["s", [run("b", "s"), run("d", "s")]]]));
  expect(open.map((row) => row.key)).toEqual(["a", "study s", "b", "d", "c"]);
  expect(open.flatMap((row) => (row.kind === "run" ? [row.index] : []))).toEqual([0, 1, 2, 3]);
});

test("a filtered list has every run as its own row", () => {
  const rows = rowsOf([run("a", "s"), run("b", "s")], false, new Map());
  expect(rows.map((row) => row.kind)).toEqual(["run", "run"]);
});
