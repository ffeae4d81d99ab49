import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Environment } from "@/api/types";
import { TooltipProvider } from "@/ui/Tooltip";
import { EnvironmentCard } from "./EnvironmentCard";

const cartPole = {
  id: "CartPole-v1",
  name: "Cart Pole",
  action_space_type: "discrete",
  obs_space: "BOX(4)",
  available: true,
} as Environment;

vi.stubGlobal(
  "IntersectionObserver",
  class {
    observe() {}
    disconnect() {}
  },
);

test("a chosen card has no look for the mouse, so it looks chosen while the mouse rests on it", () => {
  const card = (isSelected: boolean) => (
    <TooltipProvider>
      <EnvironmentCard environment={cartPole} isSelected={isSelected} onSelect={() => {}} isTabStop />
    </TooltipProvider>
  );
  const { rerender } = render(card(false));
  const frame = () => screen.getByRole("button", { name: /Cart Pole/ }).parentElement!;
  expect(frame().className).toContain("hover:border-line-strong");
  rerender(card(true));
  expect(frame().className).toContain("border-ink");
  expect(frame().className).not.toContain("hover:");
  expect(frame().className).not.toContain("bg-surface");
});
