import { render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type KeyBinding, keyCaps, keyTable, listenToKeys, useKeys } from "./keys";

let stop: () => void;
beforeEach(() => {
  stop = listenToKeys();
});
afterEach(() => stop());

function Bound({ bindings }: { bindings: KeyBinding[] }) {
  useKeys(bindings);
  return <input aria-label="field" />;
}
const binding = (
  keys: string,
  more: Partial<KeyBinding> = {},
): KeyBinding & { run: ReturnType<typeof vi.fn> } =>
  ({
    keys,
    title: keys,
    group: "Test",
    run: vi.fn(),
    ...more,
  }) as KeyBinding & { run: ReturnType<typeof vi.fn> };
const press = (key: string, init: KeyboardEventInit = {}, target: EventTarget = window) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }));

test("a bound key runs while its component is mounted, and no longer", () => {
  const b = binding("ctrl+k");
  const view = render(<Bound bindings={[b]} />);
  press("k", { ctrlKey: true });
  press("k", { metaKey: true });
  expect(b.run).toHaveBeenCalledTimes(2);
  view.unmount();
  press("k", { ctrlKey: true });
  expect(b.run).toHaveBeenCalledTimes(2);
  expect(keyTable.get()).toEqual([]);
});

test("two keys one after the other make a sequence", () => {
  const b = binding("g r");
  render(<Bound bindings={[b]} />);
  press("r");
  expect(b.run).not.toHaveBeenCalled();
  press("g");
  press("r");
  expect(b.run).toHaveBeenCalledOnce();
});

test("a sequence comes before what its last key does alone", () => {
  const [alone, sequence] = [binding("w"), binding("g w")];
  render(<Bound bindings={[alone, sequence]} />);
  press("g");
  press("w");
  expect(sequence.run).toHaveBeenCalledOnce();
  expect(alone.run).not.toHaveBeenCalled();
  press("w");
  expect(alone.run).toHaveBeenCalledOnce();
});

test("typing in a field triggers only bindings made for fields", () => {
  const [plain, everywhere] = [binding("?"), binding("ctrl+k", { inFields: true })];
  const { getByLabelText } = render(<Bound bindings={[plain, everywhere]} />);
  press("?", {}, getByLabelText("field"));
  press("k", { ctrlKey: true }, getByLabelText("field"));
  expect(plain.run).not.toHaveBeenCalled();
  expect(everywhere.run).toHaveBeenCalledOnce();
});

test("key caps read as printed on a keyboard", () => {
  expect(keyCaps("ctrl+k")).toEqual(["Ctrl", "K"]);
  expect(keyCaps("shift+ArrowRight")).toEqual(["Shift", "→"]);
  expect(keyCaps("g r")).toEqual(["G", "R"]);
});
