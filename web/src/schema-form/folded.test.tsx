import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Folded } from "./Folded";

const folded = (isUsed: boolean) => (
  <Folded title="Wrappers" isUsed={isUsed}>
    <button type="button">Add</button>
  </Folded>
);
const details = () => screen.getByText("Wrappers").closest("details")!;

test("it opens when something in it is used, and stays open with its focus when nothing is", () => {
  const { rerender } = render(folded(false));
  expect(screen.queryByText("Add")).toBeNull();
  rerender(folded(true));
  screen.getByText("Add").focus();
  rerender(folded(false));
  expect(details().open).toBe(true);
  expect(document.activeElement).toBe(screen.getByText("Add"));
});

test("an error opens it again after it was closed by hand", () => {
  const { rerender } = render(folded(true));
  details().open = false;
  fireEvent(details(), new Event("toggle"));
  expect(screen.queryByText("Add")).toBeNull();
  rerender(folded(false));
  rerender(folded(true));
  expect(details().open).toBe(true);
});
