import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { live } from "./use-live";
import { useOnTicks } from "./use-on-ticks";

let tick: () => void = () => {};
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(live, "subscribe").mockImplementation((topic, _since, onBatch) => {
    tick = () => onBatch({ topic, cursor: 1, items: [{ id: 1 }] });
    return () => {};
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("many ticks ask once at first and once more after the wait", async () => {
  const ask = vi.fn();
  renderHook(() => useOnTicks("r1", 1000, ask));
  tick();
  await vi.advanceTimersByTimeAsync(1);
  expect(ask).toHaveBeenCalledTimes(1);
  for (let i = 0; i < 5; i++) tick();
  await vi.advanceTimersByTimeAsync(500);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(600);
  expect(ask).toHaveBeenCalledTimes(2);
});

test("nothing is asked after the panel is gone", async () => {
  const ask = vi.fn();
  const { unmount } = renderHook(() => useOnTicks("r1", 1000, ask));
  tick();
  unmount();
  await vi.advanceTimersByTimeAsync(2000);
  expect(ask).not.toHaveBeenCalled();
});
