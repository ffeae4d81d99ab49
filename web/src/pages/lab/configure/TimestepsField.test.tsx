import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { TimestepsField } from "./TimestepsField";

vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);

const field = () => screen.getByLabelText<HTMLInputElement>("Total Timesteps");

test("the field shows the value in use, also when it is the preset's", () => {
  render(<TimestepsField label="Total Timesteps" value={null} preset={300_000} onChange={() => {}} />);
  expect(field().value).toBe("300,000");
  expect(screen.getByRole("slider").getAttribute("aria-valuetext")).toBe("300,000");
});

test("what people type is understood; what is not a count is reported", () => {
  const onChange = vi.fn();
  render(<TimestepsField label="Total Timesteps" value={null} preset={300_000} onChange={onChange} />);
  fireEvent.change(field(), { target: { value: "1.5M" } });
  expect(onChange).toHaveBeenLastCalledWith(1_500_000);
  fireEvent.change(field(), { target: { value: "1-5" } });
  expect(onChange).toHaveBeenLastCalledWith(Number.NaN);
  expect(screen.getByRole("alert").textContent).toContain("such as 300,000");
});

test("a wrong text stays in the field with its message until it is corrected", () => {
  function Held() {
    const [value, setValue] = useState<number | null>(null);
    return <TimestepsField label="Total Timesteps" value={value} preset={300_000} onChange={setValue} />;
  }
  render(<Held />);
  fireEvent.change(field(), { target: { value: "lots" } });
  fireEvent.blur(field());
  expect(field().value).toBe("lots");
  expect(screen.getByRole("alert").textContent).toContain("such as 300,000");
  fireEvent.change(field(), { target: { value: "20k" } });
  fireEvent.blur(field());
  expect(field().value).toBe("20,000");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("the slider and the keyboard move the value by factors", () => {
  const onChange = vi.fn();
  render(<TimestepsField label="Total Timesteps" value={100_000} preset={300_000} onChange={onChange} />);
  fireEvent.keyDown(screen.getByRole("slider"), { key: "ArrowRight" });
  expect(onChange.mock.lastCall![0]).toBeGreaterThan(100_000);
});
