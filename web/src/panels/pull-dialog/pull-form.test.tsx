import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import { PullForm } from "./PullForm";

describe("the form of a pull", () => {
  it("is sent with a repository; empty fields are left out", () => {
    const onPull = vi.fn();
    render(
      <TooltipProvider>
        <PullForm isBusy={false} onPull={onPull} />
      </TooltipProvider>,
    );
    fireEvent.click(screen.getByRole("button", { name: "Download" }));
    expect(onPull).not.toHaveBeenCalled();
    const field = screen.getByLabelText("Repository on the Hub");
    fireEvent.change(field, { target: { value: "wrong" } });
    expect(screen.getByText("Write user/name: letters, digits, dots and hyphens.").id).toBe(
      field.getAttribute("aria-describedby"),
    );
    fireEvent.change(field, { target: { value: "sb3/ppo-x" } });
    expect(screen.queryByText(/^Write user/)).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Download" }));
    expect(onPull).toHaveBeenCalledWith({ repo: "sb3/ppo-x", revision: null, file: null });
  });
});
