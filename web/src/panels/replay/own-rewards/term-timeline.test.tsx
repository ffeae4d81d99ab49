import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { TermTimeline } from "./TermTimeline";
import * as timelines from "./timeline";

afterEach(() => vi.restoreAllMocks());

const timeline: timelines.OwnTimeline = {
  name: "gentle@v1",
  rewards: [1, 2, 3, 4],
  terms: {},
  envRewards: [1, 1, 1, 1],
};
const at = (step: number, length: number) => (
  <TermTimeline timeline={timeline} step={step} length={length} onSeek={() => {}} />
);

test("the bars of a shorter episode end where its last step is on the common scale", () => {
  render(at(4, 16));
  const bars = document.querySelector("svg")!.parentElement!;
  expect(bars.style.width).toBe("25%");
  const cursor = bars.nextElementSibling as HTMLElement;
  expect(cursor.style.left).toBe("25%");
});

test("a step forward builds nothing again", () => {
  const stacked = vi.spyOn(timelines, "stackedBars");
  const added = vi.spyOn(timelines, "totalsOf");
  const { rerender } = render(at(1, 4));
  const path = document.querySelector("path")!;
  rerender(at(2, 4));
  expect(screen.getByText("3 / 2")).toBeTruthy();
  expect([stacked.mock.calls.length, added.mock.calls.length]).toEqual([1, 1]);
  expect(document.querySelector("path")).toBe(path);
});
