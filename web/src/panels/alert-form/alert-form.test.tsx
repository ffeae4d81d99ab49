import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import { AlertForm } from "./AlertForm";
import { NEW_ALERT } from "./alert-draft";

beforeEach(() => localStorage.clear());

const open = (first = NEW_ALERT) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <AlertForm first={first} onSaved={() => {}} onCancel={() => {}} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
const COMMAND = /^Execute a command/;
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const typedIn = (label: string | RegExp) => (screen.getByLabelText(label) as HTMLInputElement).value;

test("a draft is kept, the approval of its command is not", () => {
  const { unmount } = open();
  type("Value", "400");
  type(COMMAND, "say hi");
  fireEvent.click(screen.getByRole("switch"));
  expect(screen.getByRole("switch").getAttribute("aria-checked")).toBe("true");
  unmount();
  open();
  expect([typedIn("Value"), typedIn(COMMAND)]).toEqual(["400", "say hi"]);
  expect(screen.getByRole("switch").getAttribute("aria-checked")).toBe("false");
});

test("Cancel drops it, and an alert on a chart does not begin with it", () => {
  const first = open();
  type("Value", "400");
  first.unmount();
  const chart = open({ ...NEW_ALERT, expression: "loss" });
  expect(typedIn("Value")).toBe("");
  chart.unmount();
  const again = open();
  expect(typedIn("Value")).toBe("400");
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  again.unmount();
  open();
  expect(typedIn("Value")).toBe("");
});
