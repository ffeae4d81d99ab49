import { expect, test } from "vitest";
import { LoadQueue } from "./thumbnail-queue";

test("only so many load at once, the rest follow in order", () => {
  const queue = new LoadQueue(2);
  const started: string[] = [];
  const ends = ["a", "b", "c", "d"].map((name) => queue.ask(() => started.push(name)));
  expect(started).toEqual(["a", "b"]);
  ends[1]!();
  expect(started).toEqual(["a", "b", "c"]);
  ends[1]!();
  expect(started).toEqual(["a", "b", "c"]);
});

test("one that is not wanted any more gives up its place", () => {
  const queue = new LoadQueue(1);
  const started: string[] = [];
  const [endA, endB] = ["a", "b", "c"].map((name) => queue.ask(() => started.push(name)));
  endB!();
  endA!();
  expect(started).toEqual(["a", "c"]);
});
