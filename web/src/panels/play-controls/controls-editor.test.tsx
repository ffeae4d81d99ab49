import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { TooltipProvider } from "@/ui/Tooltip";
import { ActionPad } from "./ActionPad";
import { ControlsEditor } from "./ControlsEditor";
import { car, continuous, discrete, many, multi } from "./examples";
import { Hands, type HeldNow } from "./hands";

const key = (name: "keydown" | "keyup", code: string) =>
  act(() => {
    window.dispatchEvent(new KeyboardEvent(name, { code, key: code, bubbles: true, cancelable: true }));
  });

function chooseKeys(name: RegExp, ...codes: string[]): void {
  fireEvent.click(screen.getByRole("button", { name }));
  for (const code of codes) key("keydown", code);
  for (const code of codes) key("keyup", code);
}

function edit(controls = discrete) {
  const on = { onSave: vi.fn(), onReset: vi.fn(), onClose: vi.fn() };
  const names = controls.kind === "discrete" ? ["push left", "push right"] : [];
  const given = { envId: "CartPole-v1", controls, actionNames: names, isBusy: false, error: null };
  render(
    <TooltipProvider>
      <ControlsEditor {...given} {...on} />
    </TooltipProvider>,
  );
  return on;
}
const save = () => fireEvent.click(screen.getByRole("button", { name: "Save" }));

test("a key is bound by pressing it, several together as one", () => {
  const { onSave } = edit();
  chooseKeys(/Keys for push left/, "KeyA");
  chooseKeys(/Keys for push right/, "KeyD", "ShiftLeft");
  save();
  expect(onSave.mock.lastCall![0]).toMatchObject({
    source: "user",
    keys: [{ keys: ["KeyA"] }, { keys: ["KeyD", "ShiftLeft"] }],
  });
});

test("a conflict is shown and cannot be saved; Escape leaves the keys as they were", () => {
  const { onSave, onClose } = edit();
  chooseKeys(/Keys for push right/, "ArrowLeft");
  expect(screen.getByRole("alert").textContent).toBe("← is used twice: “push left” and “push right”.");
  save();
  expect(onSave).not.toHaveBeenCalled();
  chooseKeys(/Keys for push right/, "ArrowRight");
  chooseKeys(/Keys for push left/, "Escape");
  expect(onClose).not.toHaveBeenCalled();
  save();
  expect(onSave.mock.lastCall![0].keys).toEqual(discrete.keys);
});

test("only keys that a person chose can be reset", () => {
  const { onReset } = edit({ ...discrete, source: "user" });
  fireEvent.click(screen.getByRole("button", { name: /Reset/ }));
  expect(onReset).toHaveBeenCalledOnce();
});

test("a number of an action that had no controls gets keys", () => {
  const { onSave } = edit({
    ...continuous,
    kind: "none",
    numbers: 17,
    axes: [],
    problem: "17 numbers at once.",
  });
  fireEvent.click(screen.getByRole("button", { name: "Add a number of the action" }));
  chooseKeys(/Keys for more axis 0/, "KeyW");
  save();
  expect(onSave.mock.lastCall![0]).toMatchObject({
    kind: "continuous",
    problem: "",
    axes: [{ index: 0, plus: ["KeyW"], minus: [] }],
  });
});

test("a value of an entry gets a key", () => {
  const { onSave } = edit(multi);
  fireEvent.change(screen.getByLabelText("Add keys for an action"), { target: { value: "3" } });
  chooseKeys(/Keys for entry 1 = 1/, "KeyX");
  save();
  expect(onSave.mock.lastCall![0].keys.at(-1)).toEqual({ keys: ["KeyX"], entry: 1, action: 1, label: "" });
});

test("of many actions the one that gets a key is typed", () => {
  const { onSave } = edit(many);
  const add = () => fireEvent.click(screen.getByRole("button", { name: /^Add/ }));
  fireEvent.change(screen.getByLabelText("Number of the action"), { target: { value: "500" } });
  add();
  fireEvent.change(screen.getByLabelText("Number of the action"), { target: { value: "432" } });
  add();
  chooseKeys(/Keys for action 432/, "KeyX");
  save();
  expect(onSave.mock.lastCall![0].keys).toEqual([{ keys: ["KeyX"], entry: null, action: 432, label: "" }]);
});

test("where no key can act there is nothing to choose", () => {
  const { onSave } = edit({ ...many, kind: "none", entries: [], problem: "An action is a Dict." });
  expect(screen.queryByRole("button", { name: /^Add/ })).toBeNull();
  save();
  expect(onSave).not.toHaveBeenCalled();
});

function pad(controls = discrete) {
  const sent: HeldNow[] = [];
  const onAct = vi.fn();
  const hands = new Hands((held) => void sent.push(held));
  render(
    <TooltipProvider>
      <ActionPad controls={controls} hands={hands} onAct={onAct} />
    </TooltipProvider>,
  );
  return { sent, onAct, hands };
}
HTMLElement.prototype.setPointerCapture ??= () => {};

test("two fingers hold two buttons, and each lets go of its own", () => {
  const { sent } = pad();
  const [left, right] = screen.getAllByRole("button") as [HTMLElement, HTMLElement];
  fireEvent.pointerDown(left, { pointerId: 1 });
  fireEvent.pointerDown(right, { pointerId: 2 });
  expect(left.dataset.held).toBe("true");
  fireEvent.pointerUp(left, { pointerId: 1 });
  fireEvent.pointerCancel(right, { pointerId: 2 });
  expect(sent.map(({ keys }) => keys)).toEqual([
    ["ArrowLeft"],
    ["ArrowLeft", "ArrowRight"],
    ["ArrowRight"],
    [],
  ]);
  expect(left.dataset.held).toBe("false");
});

test("a button shows that its key is held on the keyboard; an action without keys is one step", () => {
  const { hands, onAct } = pad({
    ...discrete,
    keys: [...discrete.keys, { keys: [], action: 5, entry: null, label: "jump" }],
  });
  hands.hold("keyboard", { keys: ["ArrowRight"] });
  expect(screen.getByRole("button", { name: /push right/ }).dataset.held).toBe("true");
  fireEvent.pointerDown(screen.getByRole("button", { name: "jump" }), { pointerId: 1 });
  expect(onAct).toHaveBeenCalledWith(5);
});

test("an action without a key is typed by its number", () => {
  const { onAct } = pad(many);
  const number = screen.getByLabelText(/Number of an action, 0 to 499/);
  for (const text of ["500", "432"]) {
    fireEvent.change(number, { target: { value: text } });
    fireEvent.submit(number.closest("form")!);
  }
  expect(onAct.mock.calls).toEqual([[432]]);
});

test("a pedal is held down, a slider goes both ways, and both spring back", () => {
  const { sent } = pad(car);
  const at = (name: RegExp) => screen.getByRole("img", { name });
  const box = { left: 0, top: 0, width: 100, height: 50 } as DOMRect;
  for (const name of [/steer/, /gas/]) at(name).getBoundingClientRect = () => box;
  fireEvent.pointerDown(at(/gas/), { pointerId: 1, clientX: 10, clientY: 10 });
  fireEvent.pointerDown(at(/steer/), { pointerId: 2, clientX: 25, clientY: 10 });
  expect(sent.at(-1)!.axes).toEqual({ 0: -0.5, 1: 1 });
  fireEvent.pointerUp(at(/gas/), { pointerId: 1 });
  fireEvent.pointerUp(at(/steer/), { pointerId: 2 });
  expect(sent.at(-1)!.axes).toEqual({});
});
