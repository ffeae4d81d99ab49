import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ComparisonFailed } from "./ComparisonFailed";
import type { MeasureChoice } from "./MeasureSelects";

const BACK = "Use the usual measure and protocol";

function show(search: MeasureChoice) {
  const onSearch = vi.fn();
  const error = new Error("No run has the measure “soft”.");
  render(<ComparisonFailed error={error} search={search} onSearch={onSearch} onRetry={() => {}} />);
  return onSearch;
}

test.each([{ measure: "soft" }, { protocol: "a1b2" }])("%o can be left", (search) => {
  const onSearch = show(search);
  fireEvent.click(screen.getByRole("button", { name: BACK }));
  expect(onSearch).toHaveBeenCalledWith({ measure: undefined, protocol: undefined });
});

test("any other failure is only tried again", () => {
  show({});
  expect(screen.queryByRole("button", { name: BACK })).toBeNull();
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
});
