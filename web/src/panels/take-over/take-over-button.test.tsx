import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import { TakeOverButton } from "./TakeOverButton";
import type { TakeOverTarget } from "./target";

afterEach(() => vi.unstubAllGlobals());

const target = (title: string, more: Partial<TakeOverTarget> = {}): TakeOverTarget => ({
  title,
  start: { run_id: title, episode: 1 },
  length: 9,
  reason: null,
  ...more,
});

function show(...targets: [TakeOverTarget, ...TakeOverTarget[]]) {
  const [onPress, sent] = [vi.fn(), [] as unknown[]];
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push(await request.json());
    return new Promise(() => {}); // the play that begins would be opened
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <TakeOverButton targets={targets} step={4} onPress={onPress} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return { onPress, sent, button: screen.getByRole("button", { name: "Take over" }) };
}

test("an episode of a dataset is taken over at the shown step", async () => {
  const start = { dataset: { name: "lander", version: 2 }, episode: 12 };
  const { onPress, sent, button } = show(target("Episode 12", { start }));
  fireEvent.click(button);
  expect(onPress).toHaveBeenCalledOnce();
  await waitFor(() => expect(sent).toEqual([{ start: { ...start, step: 4 } }]));
});

test("a button that cannot take over does nothing", () => {
  const { onPress, button } = show(target("Episode 12", { reason: "Its seed is not known." }));
  expect(button.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(button);
  expect(onPress).not.toHaveBeenCalled();
});

test("of two side by side one is chosen, unless it has ended before this step", async () => {
  const { sent, button } = show(target("left"), target("right", { length: 3 }));
  fireEvent.keyDown(button, { key: "Enter" });
  const right = await screen.findByRole("menuitem", { name: "right" });
  expect(right.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(screen.getByRole("menuitem", { name: "left" }));
  await waitFor(() => expect(sent).toEqual([{ start: { run_id: "left", episode: 1, step: 4 } }]));
});
