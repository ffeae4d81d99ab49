import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { barBoxes, RewardBars } from "./RewardBars";
import { sparkPath } from "./Sparkline";

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
  expect(up).toEqual({ y: 0, height: 50, isNegative: false });
  expect(down).toEqual({ y: 50, height: 50, isNegative: true });
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
