/** Dragging a row of a list by its handle, with a mouse, a pen or a finger. */
import { type PointerEvent, useEffect, useRef, useState } from "react";
import { droppedPlace } from "@/entities/queue/order";

export interface Drag {
  runId: string;
  from: number;
  /** The row under the pointer. */
  over: number;
  isBelow: boolean;
}

/** Near the edge of the window it scrolls, so that a run can be dragged further than the screen. */
const EDGE_PX = 70;
const SCROLL_PX = 12;

export function useDrag(lane: string, onDrop: (runId: string, to: number) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const pointer = useRef(0);
  useScrollAtEdges(drag !== null, pointer);
  const handle = (runId: string, from: number) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      pointer.current = event.clientY;
      setDrag({ runId, from, over: from, isBelow: false });
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      pointer.current = event.clientY;
      const target = rowAt(lane, event.clientX, event.clientY);
      if (target) setDrag((old) => old && { ...old, ...target });
    },
    onPointerUp() {
      setDrag(null);
      if (!drag) return;
      const to = droppedPlace(drag.from, drag.over, drag.isBelow);
      if (to !== drag.from) onDrop(runId, to);
    },
    onPointerCancel: () => setDrag(null),
  });
  return { drag, handle };
}

function rowAt(lane: string, x: number, y: number): Pick<Drag, "over" | "isBelow"> | null {
  const row = document
    .elementsFromPoint(x, y)
    .map((found) => found.closest<HTMLElement>("[data-place]"))
    .find((found) => found?.dataset.lane === lane);
  if (!row) return null;
  const { top, height } = row.getBoundingClientRect();
  return { over: Number(row.dataset.place), isBelow: y > top + height / 2 };
}

function useScrollAtEdges(isOn: boolean, pointer: { current: number }): void {
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (pointer.current < EDGE_PX) window.scrollBy(0, -SCROLL_PX);
      else if (pointer.current > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_PX);
    }, 16);
    return () => clearInterval(timer);
  }, [isOn, pointer]);
}
