import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ReturnBars } from "./ReturnBars";

const bar = (start: number, episodes: number) => ({
  start,
  end: start + 50,
  low: episodes ? start + 3 : null,
  high: episodes ? start + 44 : null,
  episodes,
});
const histogram = { bars: [bar(0, 3), bar(50, 0), bar(100, 9)], episodes: 13, without_return: 1 };

test("a bar filters by the returns of its episodes, and clears the filter when it is chosen", () => {
  const onRange = vi.fn();
  const props = { histogram, low: undefined, high: undefined, onRange };
  const { rerender } = render(<ReturnBars {...props} />);
  const [first, empty, last] = screen.getAllByRole("button");
  expect(empty!.hasAttribute("disabled")).toBe(true);
  fireEvent.click(last!);
  expect(onRange).toHaveBeenLastCalledWith(103, 144);
  rerender(<ReturnBars {...props} low={103} high={144} />);
  expect([first, last].map((one) => one!.getAttribute("aria-pressed"))).toEqual(["false", "true"]);
  fireEvent.click(last!);
  expect(onRange).toHaveBeenLastCalledWith(undefined, undefined);
});
