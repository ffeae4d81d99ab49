import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { placeAt, placeText, shareOf, ticksOf } from "./axes";
import { contourAt, levelsOf } from "./contours";
import { ImportanceBars } from "./ImportanceBars";
import { ParallelCoordinates } from "./ParallelCoordinates";
import { isKept, lineAt, linePath } from "./parallel";
import { rampColour } from "./ramp";
import { SlicePlot } from "./SlicePlot";

const RATE = { name: "learning_rate", title: "Learning rate", is_log: true, low: 1e-4, high: 1e-2 };
const SIZE = {
  name: "hidden",
  title: "Hidden",
  is_log: false,
  low: 0,
  high: 2,
  choices: [[32], [64, 64], 128],
};

test("a logarithmic axis has equal distances for equal factors, and back", () => {
  expect(shareOf(RATE, 1e-3)).toBeCloseTo(0.5);
  expect(placeAt(RATE, shareOf(RATE, 3e-3))).toBeCloseTo(3e-3);
  expect(shareOf({ ...RATE, low: 1, high: 1 }, 1)).toBe(0.5);
});

test("ticks of a list are its values as a person wrote them", () => {
  expect(ticksOf(SIZE).map((tick) => tick.text)).toEqual(["32", "64×64", "128"]);
  expect(placeText(RATE, 1e-4)).toBe("1e-4");
  expect(
    ticksOf({ ...SIZE, high: 99, choices: Array.from({ length: 100 }, (_, i) => i) }).length,
  ).toBeLessThan(9);
});

test("the ramp goes from one end to the other and forgives what is outside", () => {
  expect(rampColour(0, false)).toBe("rgb(201 211 223)");
  expect(rampColour(2, false)).toBe(rampColour(1, false));
  expect(rampColour(Number.NaN, true)).toBe(rampColour(0, true));
});

test("a line has a gap where a variant has no value, and a brush leaves it out", () => {
  const frame = { left: 0, top: 0, width: 100, height: 100 };
  const [whole, gap] = [
    { variant: 1, label: "one", shares: [0, 0.5, 1], value: 3 },
    { variant: 2, label: "two", shares: [0, null, 0], value: null },
  ];
  expect(linePath(whole, frame)).toBe("M0.0 100.0L50.0 50.0L100.0 0.0");
  expect(linePath(gap, frame).match(/M/g)).toHaveLength(2);
  expect([whole, gap].filter((line) => isKept(line, { 1: [0.9, 0.4] }))).toEqual([whole]);
  expect(lineAt([whole, gap], frame, 25, 76)).toBe(whole);
  expect(lineAt([whole, gap], frame, 25, 20)).toBe(null);
});

test("a contour crosses a square between lower and higher corners, and none with an unknown one", () => {
  expect(
    contourAt(
      [
        [0, 1],
        [0, 1],
      ],
      0.5,
    ),
  ).toEqual([
    [
      [0.5, 0],
      [0.5, 1],
    ],
  ]);
  expect(
    contourAt(
      [
        [0, null],
        [0, 1],
      ],
      0.5,
    ),
  ).toEqual([]);
  expect(levelsOf(0, 10, 5)).toEqual([2, 4, 6, 8]);
});

test("dragging along an axis keeps the variants of that range, and its button removes the brush", () => {
  const onKeep = vi.fn();
  const points = [
    { variant: 1, label: "low", places: { learning_rate: 1e-4 }, value: 10 },
    { variant: 2, label: "high", places: { learning_rate: 1e-2 }, value: 20 },
  ];
  const { container } = render(
    <ParallelCoordinates
      axes={[RATE]}
      points={points}
      measure="mean return"
      isDark={false}
      onKeep={onKeep}
    />,
  );
  const strip = container.querySelector<SVGRectElement>("rect[fill=transparent]")!;
  strip.setPointerCapture = () => {};
  strip.getBoundingClientRect = () => ({ top: 0, height: 100 }) as DOMRect;
  fireEvent.pointerDown(strip, { clientY: 60, pointerId: 1 });
  fireEvent.pointerMove(strip, { clientY: 100, pointerId: 1 });
  fireEvent.pointerUp(strip, { clientY: 100, pointerId: 1 });
  expect(onKeep).toHaveBeenLastCalledWith([1]);
  fireEvent.click(screen.getByRole("button", { name: /Learning rate/ }));
  expect(onKeep).toHaveBeenLastCalledWith(null);
});

test("a slice says what it shows, and draws the range of the seeds", () => {
  const points = [{ variant: 1, label: "a", x: 1e-3, value: 5, low: 1, high: 9, seeds: 3, is_pruned: true }];
  const { container } = render(
    <SlicePlot axis={RATE} points={points} measure="mean return" isDark={false} />,
  );
  expect(screen.getByRole("img").getAttribute("aria-label")).toContain(
    "mean return over Learning rate: 1 variant",
  );
  expect(container.querySelector("circle")?.getAttribute("fill")).toBe("var(--surface)");
});

test("an importance that may be chance says so", () => {
  const row = { name: "a", title: "Learning rate", share: 0.7, is_clear: false, text: "" };
  render(<ImportanceBars parameters={[row]} />);
  expect(screen.getByText("70 % · may be chance")).toBeTruthy();
});
