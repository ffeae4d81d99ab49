import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { partsOf, secondsOf, TimeFields } from "./TimeFields";

test.each([
  [9000, { hours: "2", minutes: "30" }],
  [3600, { hours: "1", minutes: "" }],
  [90, { hours: "", minutes: "1.5" }],
  [null, { hours: "", minutes: "" }],
])("%j seconds are shown as hours and minutes, and read back", (seconds, parts) => {
  expect(partsOf(seconds)).toEqual(parts);
  expect(secondsOf(parts)).toBe(seconds);
});

test("what is typed stays, and what is no time is named", () => {
  const changed = vi.fn();
  function Held() {
    const [value, setValue] = useState<number | null>(null);
    return (
      <TimeFields
        value={value}
        onChange={(seconds) => {
          changed(seconds);
          setValue(seconds);
        }}
      />
    );
  }
  render(<Held />);
  fireEvent.change(screen.getByLabelText("Minutes"), { target: { value: "30" } });
  expect(changed).toHaveBeenLastCalledWith(1800);
  fireEvent.change(screen.getByLabelText("Hours"), { target: { value: "two" } });
  expect(screen.getByRole("alert").textContent).toContain("2 hours and 30 minutes");
  expect(screen.getByLabelText<HTMLInputElement>("Hours").value).toBe("two");
  fireEvent.change(screen.getByLabelText("Hours"), { target: { value: "2" } });
  expect(changed).toHaveBeenLastCalledWith(9000);
  expect(screen.queryByRole("alert")).toBeNull();
});
