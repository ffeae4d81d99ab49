/** Wheel over a chart: with Ctrl it zooms around the pointer, sideways (or with Shift) it pans. Plain wheels scroll. */
import type uPlot from "uplot";
import type { Range } from "./plot";

const SETTLE_MS = 220;

/** `preview` draws at once; `settle` is called when the wheel stops, and is what requests data. */
export function wheelGestures(
  u: uPlot,
  preview: (range: Range) => void,
  settle: (range: Range) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onWheel = (event: WheelEvent) => {
    const { min, max } = u.scales.x!;
    if (min === undefined || min === null || max === undefined || max === null) return;
    const range = moved([min, max], event, u.posToVal(event.offsetX, "x"));
    if (range === null) return;
    event.preventDefault();
    preview(range);
    clearTimeout(timer);
    timer = setTimeout(() => settle(range), SETTLE_MS);
  };
  u.over.addEventListener("wheel", onWheel, { passive: false });
  return () => {
    clearTimeout(timer);
    u.over.removeEventListener("wheel", onWheel);
  };
}

interface Wheel {
  deltaX: number;
  deltaY: number;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

/** The range after one notch; null when the wheel means to scroll the page. */
export function moved(range: Range, wheel: Wheel, at: number): Range | null {
  const [min, max] = range;
  if (wheel.ctrlKey || wheel.metaKey) {
    const factor = Math.exp(Math.max(-60, Math.min(60, wheel.deltaY)) / 200);
    return [at - (at - min) * factor, at + (max - at) * factor];
  }
  const sideways = wheel.shiftKey ? wheel.deltaX || wheel.deltaY : wheel.deltaX;
  if (Math.abs(sideways) < 1 || (!wheel.shiftKey && Math.abs(wheel.deltaY) > Math.abs(sideways))) return null;
  const by = ((max - min) * Math.max(-120, Math.min(120, sideways))) / 800;
  return [min + by, max + by];
}
