import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { NumberField } from "./NumberField";

function Seed() {
  const [seed, setSeed] = useState<number | null>(null);
  return (
    <>
      <NumberField label="Seed" value={seed} placeholder="any" example="3" onChange={setSeed} />
      <output>{String(seed)}</output>
      <button type="button" onClick={() => setSeed(null)}>
        clear
      </button>
    </>
  );
}

const type = (text: string) => {
  fireEvent.change(screen.getByLabelText("Seed"), { target: { value: text } });
};
const field = () => screen.getByLabelText("Seed") as HTMLInputElement;

test("a range stays as it is typed and is refused, not turned into 15", () => {
  render(<Seed />);
  type("1-5");
  expect(field().value).toBe("1-5");
  expect(screen.getByRole("alert").textContent).toBe("One whole number, such as 3.");
  expect(screen.getByRole("status").textContent).toBe("NaN");
  type("15");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("status").textContent).toBe("15");
});

test("a number is spelled with separators when the field is left", () => {
  render(<Seed />);
  type("100000");
  expect(field().value).toBe("100000");
  fireEvent.blur(field());
  expect(field().value).toBe("100,000");
});

test("a change from outside replaces the text", () => {
  render(<Seed />);
  type("7");
  fireEvent.click(screen.getByText("clear"));
  expect(field().value).toBe("");
});
