import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Transfer } from "@/api/types";
import { TooltipProvider } from "@/ui/Tooltip";
import { PushForm } from "./PushForm";
import { PushProgress } from "./PushProgress";

const CHECKPOINT = { id: "c1", title: "Best", algorithm: "PPO", envId: "CartPole-v1" };
const PUSH: Transfer = {
  id: "0123456789ab",
  kind: "push",
  repo: "ada/x",
  state: "transferring",
  message: "Sending model.zip",
  done_bytes: 1,
  total_bytes: 4,
  created_at: "2026-05-04T00:00:00Z",
  ended_at: null,
  checkpoint: "c1",
  commit: null,
  next_step: null,
  notes: [],
  upload: null,
  url: null,
};

const show = (onPush: () => void) =>
  render(
    <TooltipProvider>
      <PushForm checkpoint={CHECKPOINT} isBusy={false} onPush={onPush} />
    </TooltipProvider>,
  );

describe("the form of a push", () => {
  beforeEach(() => localStorage.clear());

  it("is sent once the repository has a user, and remembers the user", () => {
    const onPush = vi.fn();
    const { unmount } = show(onPush);
    fireEvent.click(screen.getByRole("button", { name: "Push" }));
    expect(onPush).not.toHaveBeenCalled();
    const field = screen.getByLabelText("Repository on the Hub");
    fireEvent.change(field, { target: { value: " ada/ppo-CartPole-v1 " } });
    fireEvent.click(screen.getByRole("switch", { name: /Private/ }));
    fireEvent.click(screen.getByRole("button", { name: "Push" }));
    const sent = expect.objectContaining({ checkpoint: "c1", repo: "ada/ppo-CartPole-v1", private: true });
    expect(onPush).toHaveBeenCalledWith(sent);
    unmount();
    show(onPush);
    expect(screen.getByLabelText("Repository on the Hub")).toHaveProperty("value", "ada/ppo-CartPole-v1");
  });
});

describe("the progress of a push", () => {
  it("can be cancelled while it is at work", () => {
    const onCancel = vi.fn();
    render(<PushProgress push={PUSH} onCancel={onCancel} />);
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("25");
    fireEvent.click(screen.getByRole("button", { name: "Cancel the push" }));
    expect(onCancel).toHaveBeenCalled();
  });

  it("says why it failed and what to do", () => {
    const failed = {
      ...PUSH,
      state: "failed" as const,
      message: "There is no token.",
      next_step: "hf auth login",
      ended_at: "2026-05-04T00:00:01Z",
    };
    render(<PushProgress push={failed} onCancel={() => undefined} />);
    expect(screen.getByText("There is no token.")).toBeTruthy();
    expect(screen.getByText("hf auth login")).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });
});
