import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import { TakeOverButton } from "./TakeOverButton";
import type { TakeOverTarget } from "./target";

const { mutate } = vi.hoisted(() => ({ mutate: vi.fn() }));
vi.mock("@/entities/plays/use-start-play", () => ({ useStartPlay: () => ({ mutate, isPending: false }) }));
vi.mock("@tanstack/react-router", () => ({ useNavigate: () => () => {} }));

beforeEach(() => mutate.mockReset());

const target = (title: string, more: Partial<TakeOverTarget> = {}): TakeOverTarget => ({
  title,
  start: { run_id: title, episode: 1 },
  length: 9,
  reason: null,
  ...more,
});

function show(...targets: [TakeOverTarget, ...TakeOverTarget[]]) {
  const onPress = vi.fn();
  render(
    <TooltipProvider>
      <TakeOverButton targets={targets} step={4} onPress={onPress} />
    </TooltipProvider>,
  );
  return { onPress, button: screen.getByRole("button", { name: "Take over" }) };
}

test("an episode of a dataset is taken over at the shown step", () => {
  const start = { dataset: { name: "lander", version: 2 }, episode: 12 };
  const { onPress, button } = show(target("Episode 12", { start }));
  fireEvent.click(button);
  expect(onPress).toHaveBeenCalledOnce();
  expect(mutate).toHaveBeenCalledWith({ start: { ...start, step: 4 } });
});

test("a button that cannot take over does nothing", () => {
  const { button } = show(target("Episode 12", { reason: "Its seed is not known." }));
  expect(button.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(button);
  expect(mutate).not.toHaveBeenCalled();
});

test("of two side by side one is chosen, unless it has ended before this step", async () => {
  const { button } = show(target("left"), target("right", { length: 3 }));
  fireEvent.keyDown(button, { key: "Enter" });
  const right = await screen.findByRole("menuitem", { name: "right" });
  expect(right.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(screen.getByRole("menuitem", { name: "left" }));
  expect(mutate).toHaveBeenCalledWith({ start: { run_id: "left", episode: 1, step: 4 } });
});
