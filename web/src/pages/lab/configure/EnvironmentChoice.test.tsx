import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Environment } from "@/api/types";
import type { DraftState } from "@/pages/lab/draft/use-draft";
import { TooltipProvider } from "@/ui/Tooltip";
import { EnvironmentChoice, few } from "./EnvironmentChoice";

vi.stubGlobal(
  "IntersectionObserver",
  class {
    observe() {}
    disconnect() {}
  },
);

const environment = (id: string, more: Partial<Environment> = {}) =>
  ({
    id,
    name: id,
    family: "classic",
    action_space_type: "discrete",
    obs_space: "BOX(4)",
    available: true,
    install: null,
    problem: null,
    ...more,
  }) as Environment;
const known = ["A", "B", "C", "D", "E", "F", "G", "H"].map((id) => environment(id));
const pong = environment("ALE/Pong-v5", {
  name: "Pong",
  family: "atari",
  available: false,
  problem: "The Python package “ale_py” is not installed.",
  install: 'pip install "rl-lab[atari]"',
});

function open() {
  const choose = vi.fn();
  const state = {
    environments: { data: [...known, pong], isSuccess: true },
    envId: "H",
    choose,
  } as unknown as DraftState;
  render(
    <TooltipProvider>
      <EnvironmentChoice state={state} onPreview={() => {}} />
    </TooltipProvider>,
  );
  return choose;
}
const filter = (text: string) =>
  fireEvent.change(screen.getByLabelText("Filter environments"), { target: { value: text } });

test("a few environments are shown, the chosen one among them, and all on request", () => {
  expect(few(known, "H").map((e) => e.id)).toEqual(["A", "B", "C", "H"]);
  open();
  expect(screen.queryByText("G")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "All 9 environments" }));
  expect(screen.getByText("G")).toBeTruthy();
});

test.each(["atari", "pong"])(
  "“%s” finds a card that shows how to install it, and the choice stays",
  (text) => {
    const choose = open();
    filter(text);
    fireEvent.click(screen.getByRole("button", { name: /Pong.*NOT INSTALLED/ }));
    expect(screen.getByText('pip install "rl-lab[atari]"')).toBeTruthy();
    expect(screen.getByRole("button", { name: "Copy the command" })).toBeTruthy();
    expect(choose).not.toHaveBeenCalled();
  },
);
