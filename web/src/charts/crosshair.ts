/** The crosshair of all charts: shared by them, only on the one under the pointer, or off; and locked or free. */
import type uPlot from "uplot";
import { createStore } from "@/lib/store";

export const CROSSHAIRS = ["shared", "single", "off"] as const;
export type Crosshair = (typeof CROSSHAIRS)[number];

export const crosshair = createStore<Crosshair>("shared");
export const isCrosshairLocked = createStore(false);

const plots = new Set<uPlot>();

/** Adds a chart to the shared crosshair; returns the function that removes it. */
export function joinCrosshair(plot: uPlot): () => void {
  plots.add(plot);
  setLock(plot, isCrosshairLocked.get());
  return () => plots.delete(plot);
}

export function cycleCrosshair(): void {
  crosshair.set((now) => CROSSHAIRS[(CROSSHAIRS.indexOf(now) + 1) % CROSSHAIRS.length]!);
}

export function toggleCrosshairLock(): void {
  isCrosshairLocked.set((locked) => !locked);
  for (const plot of plots) setLock(plot, isCrosshairLocked.get());
}

/** uPlot reads this field before it moves or hides its cursor; its own option sets it by click only. */
function setLock(plot: uPlot, locked: boolean): void {
  (plot.cursor as { _lock?: boolean })._lock = locked;
}
