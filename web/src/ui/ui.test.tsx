import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { problemFrom } from "@/api/problem";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Menu } from "./Menu";
import { Panel } from "./Panel";
import { Progress } from "./Progress";
import { SearchField } from "./SearchField";
import { Select } from "./Select";
import { ErrorState } from "./states";
import { TooltipProvider } from "./Tooltip";
import { Toasts, toast, toasts } from "./toasts";

afterEach(() => {
  toasts.set([]);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a button with a reason cannot be pressed but can be reached and read", () => {
  const onClick = vi.fn();
  render(
    <TooltipProvider>
      <Button reason="A run that is created cannot stop." onClick={onClick}>
        Stop
      </Button>
    </TooltipProvider>,
  );
  const button = screen.getByRole("button");
  fireEvent.click(button);
  expect(onClick).not.toHaveBeenCalled();
  expect(button.getAttribute("aria-disabled")).toBe("true");
  expect(button.hasAttribute("disabled")).toBe(false);
});

test("one broken panel leaves its neighbour alone and can be tried again", () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  let isBroken = true;
  const Fragile = () => {
    if (isBroken) throw new Error("no such series");
    return <p>drawn</p>;
  };
  render(
    <>
      <Panel title="Loss">
        <Fragile />
      </Panel>
      <Panel title="Reward">
        <p>fine</p>
      </Panel>
    </>,
  );
  expect(screen.getByRole("alert").textContent).toContain("Loss could not be displayed");
  expect(screen.getByText("fine")).toBeTruthy();
  isBroken = false;
  fireEvent.click(screen.getByText("Try again"));
  expect(screen.getByText("drawn")).toBeTruthy();
});

test("Undo takes the action back and the toast goes", () => {
  const undo = vi.fn();
  render(
    <TooltipProvider>
      <Toasts />
    </TooltipProvider>,
  );
  act(() => void toast("Deleted “PPO on CartPole-v1”.", { undo }));
  fireEvent.click(screen.getByText("Undo"));
  expect(undo).toHaveBeenCalledOnce();
  expect(toasts.get()).toEqual([]);
});

test("a toast disappears after a while", () => {
  vi.useFakeTimers();
  render(
    <TooltipProvider>
      <Toasts />
    </TooltipProvider>,
  );
  act(() => void toast("Link copied."));
  expect(screen.getByText("Link copied.")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(5_000));
  expect(screen.queryByText("Link copied.")).toBeNull();
});

test("an error shows the lab's words and the next step", () => {
  render(
    <ErrorState
      error={problemFrom(409, {
        title: "Something this needs is missing.",
        detail: "The disk is full.",
        next_step: "Free 2 GB.",
      })}
    />,
  );
  expect(screen.getByRole("alert").textContent).toMatch(/The disk is full\..*Free 2 GB\./);
});

test("a search field is cleared by its own button and keeps the focus", () => {
  const onChange = vi.fn();
  const { rerender } = render(<SearchField label="Filter" value="" onChange={onChange} />);
  expect(screen.queryByRole("button")).toBeNull();
  rerender(<SearchField label="Filter" value="cart" onChange={onChange} />);
  fireEvent.click(screen.getByRole("button", { name: "Clear the field" }));
  expect(onChange).toHaveBeenCalledWith("");
  expect(document.activeElement).toBe(screen.getByRole("searchbox"));
});

test("capitals are only for what asks for them", () => {
  render(
    <>
      <Panel title="Event log" caps>
        <Button caps>Train</Button>
      </Panel>
      <Panel title="Settings">
        <Button>Save</Button>
      </Panel>
    </>,
  );
  const looks = (name: string) => screen.getByText(name).className.split(" ").includes("caps");
  expect(["Event log", "Train", "Settings", "Save"].map(looks)).toEqual([true, true, false, false]);
});

test("what a message has between backticks is shown as code", () => {
  const problem = { title: "Not ready", detail: "No encoder.", next_step: "Run `rl-lab doctor`." };
  render(<ErrorState error={problemFrom(409, problem)} action={<a href="/runs">All runs</a>} />);
  expect(screen.getByText("rl-lab doctor").tagName).toBe("CODE");
  expect(screen.getByRole("alert").textContent).not.toContain("`");
  expect(screen.getByRole("link", { name: "All runs" })).toBeTruthy();
});

function PageWithDialog() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Menu
        trigger={<button type="button">Actions</button>}
        items={[{ title: "Rename…", run: () => setIsOpen(true) }]}
      />
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="Rename">
        <input aria-label="Name" />
      </Dialog>
    </>
  );
}

test("a dialog begins in its first field, and closing it leads back to the button of its menu", async () => {
  render(<PageWithDialog />);
  const trigger = screen.getByRole("button", { name: "Actions" });
  trigger.focus();
  fireEvent.keyDown(trigger, { key: "Enter" });
  fireEvent.click(await screen.findByRole("menuitem", { name: "Rename…" }));
  const field = await screen.findByLabelText("Name");
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.keyDown(field, { key: "Escape" });
  await waitFor(() => expect(document.activeElement).toBe(trigger));
  expect(screen.queryByRole("dialog")).toBeNull();
});

/** As a browser treats the field without a picture that a slider brings along. */
const NO_FOCUS = { focus: () => {} };

test("a dialog begins in what can have the focus: a hidden field cannot", async () => {
  render(
    <Dialog open onOpenChange={() => {}} title="Split">
      <input ref={(field) => void Object.assign(field ?? {}, NO_FOCUS)} />
      <input aria-label="First dataset" />
    </Dialog>,
  );
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("First dataset")));
});

test("a chosen value that is not offered is shown, and the first option can be chosen", () => {
  const onChange = vi.fn();
  const options = ["a", "b"].map((value) => ({ value, title: value }));
  render(<Select label="Environment" value="gone-v1" options={options} onChange={onChange} />);
  const field = screen.getByRole<HTMLSelectElement>("combobox");
  expect(field.selectedOptions[0]?.text).toBe("gone-v1");
  fireEvent.change(field, { target: { value: "a" } });
  expect(onChange).toHaveBeenCalledWith("a");
});

test("a bar whose fraction becomes known does not shrink from its full width", () => {
  const { rerender } = render(<Progress label="Film" fraction={null} />);
  const unknown = screen.getByRole("progressbar").firstElementChild!;
  expect(unknown.className).toContain("animate-pulse");
  rerender(<Progress label="Film" fraction={0} />);
  expect(screen.getByRole("progressbar").firstElementChild).not.toBe(unknown);
  expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("0");
});
