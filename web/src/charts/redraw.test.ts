import { beforeEach, expect, test, vi } from "vitest";
import { RedrawQueue } from "./redraw";

let now = 0;
let frames: (() => void)[] = [];
let queue: RedrawQueue;
beforeEach(() => {
  [now, frames] = [0, []];
  queue = new RedrawQueue(
    (run) => frames.push(run),
    () => now,
  );
});
const frame = (ms = 16) => {
  now += ms;
  for (const run of frames.splice(0)) run();
};
const chart = (isVisible = () => true) => ({ draw: vi.fn(), isVisible });

test("one chart is drawn per frame", () => {
  const charts = [chart(), chart(), chart()];
  for (const c of charts) queue.request(c);
  frame();
  expect(charts.map((c) => c.draw.mock.calls.length)).toEqual([1, 0, 0]);
  frame();
  frame();
  expect(charts.map((c) => c.draw.mock.calls.length)).toEqual([1, 1, 1]);
});

test("a chart fed at 60 Hz is drawn four times a second and shows the last data", () => {
  const c = chart();
  for (let i = 0; i < 60; i++) {
    queue.request(c);
    frame(1000 / 60);
  }
  expect(c.draw.mock.calls.length).toBeGreaterThanOrEqual(4);
  expect(c.draw.mock.calls.length).toBeLessThanOrEqual(5);
});

test("a chart out of view costs no frames until it is requested again in view", () => {
  let seen = false;
  const c = chart(() => seen);
  queue.request(c);
  frame();
  expect(c.draw).not.toHaveBeenCalled();
  expect(frames).toEqual([]);
  seen = true;
  queue.request(c);
  frame();
  expect(c.draw).toHaveBeenCalledOnce();
});
