import { expect, test } from "vitest";
import type { Artifact } from "@/api/types";
import { testedCheckpoint } from "./use-checkpoints";

const file = (id: string, timestep: number, role: string) => ({ id, timestep, role }) as Artifact;
const FILES = [file("a", 10, "interval"), file("b", 20, "best"), file("c", 30, "final")];

test("TEST plays the best checkpoint, else the newest, unless one is named", () => {
  expect(testedCheckpoint(FILES, null)?.id).toBe("b");
  expect(
    testedCheckpoint(
      FILES.filter(({ role }) => role !== "best"),
      null,
    )?.id,
  ).toBe("c");
  expect(testedCheckpoint(FILES, "a")?.id).toBe("a");
  expect(testedCheckpoint([], null)).toBeUndefined();
});
