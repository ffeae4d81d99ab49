import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { barBoxes, barScale, RewardBars } from "./RewardBars";
import { sparkPath } from "./Sparkline";
import { curveOf, ThresholdCurve } from "./ThresholdCurve";

test("a sparkline reaches from edge to edge and breaks at a gap", () => {
  expect(sparkPath([0, 10], 100, 20)).toBe("M1.0 18.5L99.0 1.5");
  expect(sparkPath([0, 5, null, 5, 0], 100, 20).match(/M/g)).toHaveLength(2);
  expect(sparkPath([3], 100, 20)).toBe("");
});

test("bars start at zero and negative ones go below it", () => {
  const [up, down] = barBoxes(
    [
      { episode: 0, reward: 100 },
      { episode: 1, reward: -100 },
    ],
    100,
  );
  expect(up).toEqual({ y: 0, height: 50, isNegative: false, isSolved: false });
  expect(down).toEqual({ y: 50, height: 50, isNegative: true, isSolved: false });
});

test("arrow keys choose a bar and Enter opens its episode", () => {
  const onOpen = vi.fn();
  const bars = Array.from({ length: 5 }, (_, episode) => ({ episode: episode + 10, reward: episode }));
  render(<RewardBars bars={bars} onOpen={onOpen} />);
  const slider = screen.getByRole("slider");
  expect(slider.getAttribute("aria-valuetext")).toBe("Episode 14, reward +4");
  fireEvent.keyDown(slider, { key: "ArrowLeft" });
  fireEvent.keyDown(slider, { key: "ArrowLeft" });
  expect(slider.getAttribute("aria-valuetext")).toBe("Episode 12, reward +2");
  fireEvent.keyDown(slider, { key: "Enter" });
  expect(onOpen).toHaveBeenCalledWith(12);
});

test("bars that reach the threshold are marked, and the axis includes it once they come near", () => {
  const bars = [
    { episode: 0, reward: 300 },
    { episode: 1, reward: 480 },
  ];
  expect(barBoxes(bars, 100, 475).map(({ isSolved }) => isSolved)).toEqual([false, true]);
  expect(barScale([{ episode: 0, reward: 300 }], 475)).toEqual({ low: 0, high: 475, threshold: 475 });
  expect(barScale([{ episode: 0, reward: 20 }], 475)).toEqual({ low: 0, high: 20, threshold: null });
  expect(barScale([{ episode: 0, reward: -150 }], -110)).toEqual({ low: -150, high: 0, threshold: -110 });
});

test("the axis of the bars names the threshold", () => {
  const { container } = render(<RewardBars bars={[{ episode: 1543, reward: 500 }]} threshold={475} />);
  expect(container.textContent).toContain("475");
  expect(container.querySelector("line")).not.toBeNull();
  expect(screen.getByRole("slider").getAttribute("aria-valuetext")).toBe("Episode 1,543, reward +500");
});

test("a small curve has its threshold within the picture and says both to screen readers", () => {
  const { line, thresholdAt } = curveOf([0, 100], 50, 46);
  expect(line).toBe("0.0,43.0 240.0,3.0");
  expect(thresholdAt).toBe(23);
  render(<ThresholdCurve title="Mean reward" values={[10, 480]} threshold={475} />);
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe(
    "Mean reward: from 10 to 480, threshold 475",
  );
});
