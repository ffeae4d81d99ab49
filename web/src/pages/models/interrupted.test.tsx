import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Transfer } from "@/api/types";
import { TooltipProvider } from "@/ui/Tooltip";
import { InterruptedList } from "./InterruptedTransfers";

const PULL: Transfer = {
  id: "0123456789ab",
  kind: "pull",
  repo: "ada/x",
  state: "interrupted",
  message: "The lab was stopped, which interrupted the pull of ada/x.",
  done_bytes: 1,
  total_bytes: 4,
  created_at: "2026-05-04T00:00:00Z",
  ended_at: "2026-05-04T00:01:00Z",
  checkpoint: null,
  commit: null,
  next_step: "Pull again.",
  notes: [],
  upload: null,
  url: null,
};

it("says what was interrupted and what to do, until it is dismissed", () => {
  const onDismiss = vi.fn();
  render(
    <TooltipProvider>
      <InterruptedList transfers={[PULL]} onDismiss={onDismiss} />
    </TooltipProvider>,
  );
  expect(screen.getByRole("status").textContent).toContain("interrupted the pull of ada/x. Pull again.");
  fireEvent.click(screen.getByRole("button", { name: "Dismiss the note about ada/x" }));
  expect(onDismiss).toHaveBeenCalledWith(PULL);
});
