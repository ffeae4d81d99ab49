import { expect, test } from "vitest";
import { Hands, type HeldNow } from "./hands";

function handsWith(): [Hands, HeldNow[]] {
  const sent: HeldNow[] = [];
  return [new Hands((held) => void sent.push(held)), sent];
}

test("sources add up, and one that lets go does not take the key from another", () => {
  const [hands, sent] = handsWith();
  hands.hold("keyboard", { keys: ["KeyA"] });
  hands.hold("button 1", { keys: ["KeyA", "KeyB"] });
  hands.hold("keyboard", null);
  hands.hold("button 1", null);
  expect(sent.map(({ keys }) => keys)).toEqual([["KeyA"], ["KeyA", "KeyB"], []]);
});

test("of two sources that move one axis the one further from rest counts", () => {
  const [hands, sent] = handsWith();
  hands.hold("gamepad", { axes: { 0: -0.4, 1: 0.2 } });
  hands.hold("pointer", { axes: { 0: 0.9 } });
  expect(sent.at(-1)).toEqual({ op: "held", keys: [], axes: { 0: 0.9, 1: 0.2 } });
});

test("nothing is sent that was sent before, until the connection is new", () => {
  const [hands, sent] = handsWith();
  hands.hold("gamepad", null);
  expect(sent).toEqual([]);
  hands.sendAgain();
  expect(sent).toEqual([{ op: "held", keys: [], axes: {} }]);
});

test("everything is released at once, and it is known whether something was held", () => {
  const [hands, sent] = handsWith();
  expect(hands.releaseAll()).toBe(false);
  hands.hold("keyboard", { keys: ["KeyA"] });
  hands.hold("pointer", { axes: { 0: 1 } });
  expect(hands.releaseAll()).toBe(true);
  expect(sent.at(-1)).toEqual({ op: "held", keys: [], axes: {} });
});
