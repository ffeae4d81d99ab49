import { expect, test } from "vitest";
import type { Artifact } from "@/api/types";
import { byKind } from "@/entities/artifacts/retention";
import { filterOf } from "@/entities/episodes/queries";
import { duelOf, type PairedDifference, summaryOf, verdictOf } from "@/entities/evaluations/summary";
import { wordsOf } from "@/panels/duel/DuelTables";

const difference = (ci: [number, number]): PairedDifference => ({
  first: "a",
  second: "b",
  mean: (ci[0] + ci[1]) / 2,
  ci,
  wins_first: 6,
  wins_second: 3,
  ties: 1,
});

test("only an interval that leaves zero out decides a duel", () => {
  expect(verdictOf(difference([1, 5]))).toBe("first");
  expect(verdictOf(difference([-5, -1]))).toBe("second");
  expect(verdictOf(difference([-1, 5]))).toBe("open");
  expect(wordsOf(difference([-1, 5]))).toContain("6 to 3, 1 level");
  expect(wordsOf(difference([-1, 5]))).toContain("holds zero");
});

test("what is no result is not read as one", () => {
  expect(summaryOf(null)).toBeNull();
  expect(summaryOf({ return_mean: "high" })).toBeNull();
  expect(summaryOf({ return_mean: 3, returns: [3] })).not.toBeNull();
  expect(duelOf({})).toBeNull();
});

test("files are counted against what is kept", () => {
  const file = (kind: string, role: string | null, size = 10) =>
    ({ id: kind, kind, role, size }) as unknown as Artifact;
  const kinds = byKind(
    [file("video", null), file("checkpoint", "interval"), file("checkpoint", "final"), file("odd", null)],
    { video: { kept: 1, limit: 3, made: 5 }, checkpoint: { kept: 2, limit: 5, made: 2 } },
  );
  expect(kinds.map((kind) => kind.kind)).toEqual(["checkpoint", "video", "odd"]);
  expect(kinds[0]).toMatchObject({ size: 20, rule: "2/2 checkpoints kept, the newest 5 stay" });
  expect(kinds[1]!.rule).toContain("1/5 videos kept");
  expect(kinds[2]!.rule).toBeNull();
});

test("an episode filter holds only what the address says", () => {
  expect(filterOf({})).toEqual({});
  expect(filterOf({ min_reward: -5, episodes: "-reward", ending: "truncated" })).toEqual({
    min_reward: -5,
    sort: "-reward",
    ending: "truncated",
  });
});
