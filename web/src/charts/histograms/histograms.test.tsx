import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { coveredCount, isCovered, rangeOf } from "./brush";
import { HistogramBrush, rangeText } from "./HistogramBrush";
import { VisitMap } from "./VisitMap";

const BARS = { edges: [0, 50, 100, 150], counts: [4, 0, 6] };

test("a range of bars is open where it reaches the end", () => {
  expect(rangeOf(BARS, 1, 1)).toEqual({ low: 50, high: 100 });
  expect(rangeOf(BARS, 2, 1)).toEqual({ low: 50, high: undefined });
  expect(rangeOf(BARS, 0, 2)).toEqual({ low: undefined, high: undefined });
  expect([0, 1, 2].map((i) => isCovered(BARS, i, { low: 100 }))).toEqual([false, false, true]);
  expect(coveredCount(BARS, { high: 100 })).toBe(4);
  expect([rangeText({}), rangeText({ low: 50 }), rangeText({ low: -5, high: 5 })]).toEqual([
    "all",
    "at least 50",
    "−5 to 5",
  ]);
});

test("a bar is chosen with the keyboard, a second one with Shift, and Escape clears", () => {
  const onRange = vi.fn();
  const props = { title: "Return", bars: BARS, onRange };
  const { rerender } = render(<HistogramBrush {...props} range={{}} />);
  const [first, middle, last] = screen.getAllByRole("button");
  fireEvent.click(middle!, { detail: 0 });
  expect(onRange).toHaveBeenLastCalledWith({ low: 50, high: 100 });
  fireEvent.click(last!, { detail: 0, shiftKey: true });
  expect(onRange).toHaveBeenLastCalledWith({ low: 50, high: undefined });
  rerender(<HistogramBrush {...props} range={{ low: 50 }} />);
  expect([first, last].map((bar) => bar!.getAttribute("aria-pressed"))).toEqual(["false", "true"]);
  fireEvent.keyDown(last!, { key: "Escape" });
  expect(onRange).toHaveBeenLastCalledWith({});
});

test("dragging over bars chooses them, and the same range again clears it", () => {
  const onRange = vi.fn();
  const { rerender } = render(<HistogramBrush title="Return" bars={BARS} range={{}} onRange={onRange} />);
  const field = screen.getByRole("group");
  field.getBoundingClientRect = () => ({ left: 0, width: 300 }) as DOMRect;
  const drag = (from: number, to: number) => {
    fireEvent.pointerDown(field, { clientX: from });
    fireEvent.pointerMove(field, { clientX: to });
    fireEvent.pointerUp(field, { clientX: to });
  };
  drag(20, 150);
  expect(onRange).toHaveBeenLastCalledWith({ low: undefined, high: 100 });
  rerender(<HistogramBrush title="Return" bars={BARS} range={{ high: 100 }} onRange={onRange} />);
  drag(20, 150);
  expect(onRange).toHaveBeenLastCalledWith({});
});

test("the map of visits is described in words", () => {
  render(
    <VisitMap
      title="States"
      visits={[
        [0, 3],
        [1, 0],
      ]}
      isDark={false}
    />,
  );
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe(
    "States: 2 of 4 cells visited (50 %), one of them 3 times.",
  );
});
