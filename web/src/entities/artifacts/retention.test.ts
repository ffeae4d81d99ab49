import { expect, test } from "vitest";
import type { Artifact } from "@/api/types";
import { byKind } from "./retention";

test("files are counted against what is kept", () => {
  const file = (kind: string, role: string | null, size = 10) =>
    ({ id: kind, kind, role, size }) as unknown as Artifact;
  const kinds = byKind(
    [file("video", null), file("checkpoint", "interval"), file("checkpoint", "final"), file("odd", null)],
    { video: { kept: 1, limit: 3, made: 5 }, checkpoint: { kept: 2, limit: 5, made: 2 } },
  );
  expect(kinds.map((kind) => kind.kind)).toEqual(["checkpoint", "video", "odd"]);
  expect(kinds[0]).toMatchObject({ size: 20, rule: "2 of 2 interval checkpoints kept (at most 5)" });
  expect(kinds[1]!.rule).toContain("1 of 5 videos kept");
  expect(kinds[2]!.rule).toBeNull();
});
