import { expect, test, vi } from "vitest";
import { drawWho, whoSpans } from "./who";

test("steps in a row by the same are one span, and unknown ones are left out", () => {
  expect(whoSpans([0, 0, 1, -1, -1, 1, 1])).toEqual([
    { from: 0, to: 2, who: 0 },
    { from: 2, to: 3, who: 1 },
    { from: 5, to: 7, who: 1 },
  ]);
  expect(whoSpans([])).toEqual([]);
});

test("a single step of a long episode is still one pixel wide", () => {
  const fillRect = vi.fn();
  const who = Array.from({ length: 1000 }, (_, step) => (step === 500 ? 1 : -1));
  const pen = { fillRect } as unknown as CanvasRenderingContext2D;
  drawWho(pen, { width: 100, height: 50 }, who, { person: "blue", agent: "black" });
  expect(fillRect.mock.calls).toEqual([[50, 45, 1, 5]]);
});
