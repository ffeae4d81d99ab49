import { Provider } from "@radix-ui/react-tooltip";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ReturnsBadge } from "./ReturnsBadge";

const NOTE = "Returns are what the environment's own code reports; the lab cannot check them.";
const show = (note: string) =>
  render(
    <Provider>
      <ReturnsBadge note={note} />
    </Provider>,
  );

test("a run with returns that the lab cannot check says so, with the reason", () => {
  show(NOTE);
  expect(screen.getByText("returns not checked")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Why the returns are not checked" }));
  expect(screen.getAllByText(NOTE).length).toBeGreaterThan(0);
});

test("nothing is said of returns that the lab measures itself", () => {
  expect(show("").container.textContent).toBe("");
});
