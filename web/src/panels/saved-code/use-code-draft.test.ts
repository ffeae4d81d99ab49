import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { draftKey, draftKeys, type KeptDraft, recallDraft } from "@/entities/codes/drafts";
import { useCodeDraft } from "./use-code-draft";

const NEW = draftKey("reward", null, null);
const V3 = draftKey("reward", "gentle", 3);
const V4 = draftKey("reward", "gentle", 4);
const saved: KeptDraft = { source: "three", env_id: "CartPole-v1" };

beforeEach(() => {
  localStorage.clear();
  draftKeys.set([]);
});

const opened = (key = V3, from: KeptDraft | null = saved) =>
  renderHook(({ key, from }) => useCodeDraft(key, from), { initialProps: { key, from } });

test("what is typed is kept until it is as it was saved", () => {
  const { result } = opened();
  act(() => result.current.setSource("four"));
  expect([result.current.isChanged, recallDraft(V3)?.source]).toEqual([true, "four"]);
  act(() => result.current.setSource("three"));
  expect([result.current.isChanged, recallDraft(V3)]).toEqual([false, null]);
});

test("new code that is cleared stays open; only discarding drops it", () => {
  const { result } = opened(NEW, null);
  act(() => result.current.setSource("x"));
  act(() => result.current.setSource(""));
  expect(draftKeys.get()).toEqual([NEW]);
  expect([result.current.source, result.current.isChanged]).toEqual(["", true]);
  act(() => result.current.discard());
  expect(draftKeys.get()).toEqual([]);
});

test("another environment alone is a change", () => {
  const { result } = opened();
  act(() => result.current.setEnvId(""));
  expect(result.current.isChanged).toBe(true);
});

test("another version shows its own text, and the one before keeps its draft", () => {
  const { result, rerender } = opened();
  act(() => result.current.setSource("typed"));
  rerender({ key: V4, from: { source: "four", env_id: "" } });
  expect([result.current.source, result.current.isChanged]).toEqual(["four", false]);
  rerender({ key: V3, from: saved });
  expect([result.current.source, result.current.isRecalled]).toEqual(["typed", true]);
});

test("after the same version was saved with another environment, nothing is unsaved", () => {
  const { result, rerender } = opened();
  act(() => result.current.setEnvId("Acrobot-v1"));
  // The callback is that of a dialog which was opened before the answer arrived.
  const { settle } = result.current;
  rerender({ key: V3, from: { ...saved, env_id: "Acrobot-v1" } });
  act(() => settle(V3));
  expect([result.current.envId, result.current.isChanged, draftKeys.get()]).toEqual([
    "Acrobot-v1",
    false,
    [],
  ]);
});

test("a new version takes over without showing the old text in between", () => {
  const { result, rerender } = opened();
  act(() => result.current.setSource("four"));
  act(() => result.current.settle(V4));
  expect([result.current.source, draftKeys.get()]).toEqual(["four", []]);
  rerender({ key: V4, from: { source: "four", env_id: "CartPole-v1" } });
  expect([result.current.source, result.current.isChanged]).toEqual(["four", false]);
});

test("new code that was saved keeps its draft until the saved version is shown", () => {
  const { result, rerender } = opened(NEW, null);
  act(() => result.current.setSource("x"));
  act(() => result.current.settle(V3));
  expect(draftKeys.get()).toEqual([NEW]);
  rerender({ key: V3, from: { source: "x", env_id: "" } });
  expect(draftKeys.get()).toEqual([]);
});
