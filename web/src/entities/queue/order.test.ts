import { expect, test } from "vitest";
import type { WaitingEntry } from "@/api/types";
import { droppedPlace, moved } from "./order";

const entry = (run_id: string, place: number, kind: WaitingEntry["kind"] = "train"): WaitingEntry => ({
  run_id,
  name: run_id,
  kind,
  priority: 0,
  study_id: null,
  place,
  reason: "",
});
const waiting = [entry("a", 1), entry("b", 2), entry("c", 3), entry("film", 1, "film")];
const ids = (entries: WaitingEntry[]) => entries.map(({ run_id, place }) => `${run_id}${place}`).join(" ");

test("a moved run gets its place and the others move up or down", () => {
  expect(ids(moved(waiting, "c", 1))).toBe("c1 a2 b3 film1");
  expect(ids(moved(waiting, "a", 3))).toBe("b1 c2 a3 film1");
});

test("jobs have an order of their own, and an unknown run changes nothing", () => {
  expect(ids(moved(waiting, "film", 1))).toBe("a1 b2 c3 film1");
  expect(ids(moved(waiting, "gone", 1))).toBe("a1 b2 c3 film1");
});

test("a run dropped above or below another one gets the place that is seen there", () => {
  expect(droppedPlace(5, 2, false)).toBe(2);
  expect(droppedPlace(5, 2, true)).toBe(3);
  expect(droppedPlace(1, 3, false)).toBe(2);
  expect(droppedPlace(1, 3, true)).toBe(3);
  expect(droppedPlace(2, 2, true)).toBe(2);
});
