import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { isTourOn } from "@/panels/tour/open";
import { isTourOffered, useTour } from "./use-tour";

afterEach(() => {
  localStorage.clear();
  isTourOn.set(false);
});

test("the tour is offered after a run has ended, never over a run that is learning", () => {
  expect(isTourOffered(false, undefined)).toBe(false);
  expect(isTourOffered(false, { ended_at: null })).toBe(false);
  expect(isTourOffered(false, { ended_at: "2026-01-01T00:00:00Z" })).toBe(true);
  expect(isTourOffered(true, { ended_at: "2026-01-01T00:00:00Z" })).toBe(false);
});

test("the tour starts only when somebody asks for it, and is remembered as seen", () => {
  const { result } = renderHook(useTour);
  expect(result.current.isOn).toBe(false);
  act(() => isTourOn.set(true));
  expect(result.current.isOn).toBe(true);
  act(() => result.current.end());
  expect(result.current).toMatchObject({ isOn: false, wasSeen: true });
});

test("leaving the lab ends the tour", () => {
  const { unmount } = renderHook(useTour);
  act(() => isTourOn.set(true));
  unmount();
  expect(isTourOn.get()).toBe(false);
});
