import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keyTable, listenToKeys } from "@/lib/keys";
import { Hands, type HeldNow } from "./hands";
import { listenToHeldKeys, REASONS } from "./keyboard";

let sent: HeldNow[] = [];
let said: [string, boolean][] = [];
let hands: Hands;
let stop: () => void;
beforeEach(() => {
  [sent, said] = [[], []];
  hands = new Hands((held) => void sent.push(held));
  stop = listenToHeldKeys({
    hands,
    codes: () => new Set(["ArrowLeft", "ArrowRight", "Space", "KeyT"]),
    onReleased: (why, isHidden) => void said.push([why, isHidden]),
  });
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

const key = (
  name: "keydown" | "keyup",
  code: string,
  init: KeyboardEventInit = {},
  target: EventTarget = document.body,
) => {
  const event = new KeyboardEvent(name, { code, key: code, bubbles: true, cancelable: true, ...init });
  target.dispatchEvent(event);
  return event;
};
const keysSent = () => sent.map(({ keys }) => keys);
const add = (html: string): HTMLElement => {
  document.body.innerHTML = html;
  return document.body.firstElementChild as HTMLElement;
};

test("what is held is sent at each change, and a short press is two messages", () => {
  key("keydown", "ArrowLeft");
  key("keydown", "ArrowLeft", { repeat: true });
  key("keydown", "ArrowRight");
  key("keyup", "ArrowLeft");
  key("keyup", "ArrowRight");
  expect(keysSent()).toEqual([["ArrowLeft"], ["ArrowLeft", "ArrowRight"], ["ArrowRight"], []]);
});

test("a used key neither scrolls nor starts a shortcut of the page; another key does", () => {
  const run = vi.fn();
  const unlisten = listenToKeys();
  keyTable.set([
    { keys: "t", title: "T", group: "Test", run },
    { keys: "x", title: "X", group: "Test", run },
  ]);
  expect(key("keydown", "Space", { key: " " }).defaultPrevented).toBe(true);
  key("keydown", "KeyT", { key: "t" });
  expect(run).not.toHaveBeenCalled();
  key("keydown", "KeyX", { key: "x" });
  expect(run).toHaveBeenCalledOnce();
  keyTable.set([]);
  unlisten();
});

test.each([
  ["the window loses the focus", () => window.dispatchEvent(new Event("blur")), REASONS.blur],
  [
    "a dialog opens",
    () => add('<div role="dialog"><button>ok</button></div>').querySelector("button")!.focus(),
    REASONS.dialog,
  ],
  ["a field is entered", () => add("<input />").focus(), REASONS.field],
])("when %s everything is released, and it says so", (_, lose, why) => {
  key("keydown", "ArrowLeft");
  hands.hold("button 1", { keys: ["ArrowRight"] });
  lose();
  expect(keysSent().at(-1)).toEqual([]);
  expect(said).toEqual([[why, false]]);
  // The key that is still down repeats: it has to be pressed anew.
  key("keydown", "ArrowLeft", { repeat: true });
  expect(keysSent().at(-1)).toEqual([]);
});

test("a hidden page releases and pauses, also when nothing is held", () => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(said).toEqual([[REASONS.hidden, true]]);
});

test("keys in a field, with a modifier or for a focused button are not played", () => {
  const field = add("<input />");
  expect(key("keydown", "ArrowLeft", {}, field).defaultPrevented).toBe(false);
  key("keydown", "ArrowLeft", { ctrlKey: true });
  const button = add("<button>Pause</button>");
  expect(key("keydown", "Space", {}, button).defaultPrevented).toBe(false);
  expect(sent).toEqual([]);
  key("keydown", "ArrowLeft", {}, button);
  expect(keysSent()).toEqual([["ArrowLeft"]]);
});

test("a release is seen wherever the focus is by then", () => {
  key("keydown", "ArrowLeft");
  key("keyup", "ArrowLeft", {}, add("<input />"));
  expect(keysSent()).toEqual([["ArrowLeft"], []]);
});

test("the end of the listening releases the keys", () => {
  key("keydown", "ArrowLeft");
  stop();
  key("keydown", "ArrowRight");
  expect(keysSent()).toEqual([["ArrowLeft"], []]);
});
