/** The strip of an episode: drag or scroll over it to move through time. */
import { useEffect, useRef } from "react";
import { formatNumber } from "@/lib/format";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import type { Opened } from "./messages";
import { drawStrip } from "./strip";

export interface ScrubberProps {
  label: string;
  opened: Opened | null;
  step: number;
  /** Where a fork leaves the episode. */
  mark?: number | null;
  onSeek: (step: number) => void;
}

const HEIGHT = 56;

export function Scrubber({ label, opened, step, mark, onSeek }: ScrubberProps) {
  const place = useRef<HTMLDivElement>(null);
  const canvas = useStrip(opened);
  const length = opened?.length ?? 0;
  const seekTo = (clientX: number) => {
    const box = place.current!.getBoundingClientRect();
    onSeek(((clientX - box.left) / box.width) * length);
  };
  const wheelTarget = useRef({ step, length, onSeek });
  wheelTarget.current = { step, length, onSeek };
  useEffect(() => {
    const element = place.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const now = wheelTarget.current;
      now.onSeek(
        now.step + Math.sign(event.deltaY || event.deltaX) * Math.max(1, Math.round(now.length / 200)),
      );
    };
    // React listens passively, which cannot keep the page from scrolling.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);
  const share = (at: number) => `${length === 0 ? 0 : (at / length) * 100}%`;
  return (
    <div
      ref={place}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={length}
      aria-valuenow={step}
      aria-valuetext={`step ${step} of ${length}, reward ${formatNumber(opened?.rewards[step - 1])}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event.clientX);
      }}
      onPointerMove={(event) => event.buttons > 0 && seekTo(event.clientX)}
      className="relative w-full cursor-ew-resize touch-none overflow-hidden border-y bg-sunken select-none"
      style={{ height: HEIGHT }}
    >
      <canvas ref={canvas} className="absolute inset-0 size-full" />
      {mark !== null && mark !== undefined && (
        <div
          aria-hidden="true"
          className="absolute inset-y-0 w-px border-l border-dashed border-warn"
          style={{ left: share(mark) }}
        />
      )}
      <div
        aria-hidden="true"
        className="absolute inset-y-0 left-0 bg-ink opacity-7"
        style={{ width: share(step) }}
      />
      <div
        aria-hidden="true"
        className="absolute inset-y-0 w-0.5 -translate-x-px bg-ink"
        style={{ left: share(step) }}
      />
    </div>
  );
}

/** The picture changes with the episode, the theme and the width; not with the step. */
function useStrip(opened: Opened | null) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const themeNow = useStore(theme);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the tokens read here
  useEffect(() => {
    const element = canvas.current!;
    const draw = () => {
      const pen = element.getContext("2d");
      if (!pen || !opened) return;
      element.width = Math.max(1, element.clientWidth);
      element.height = HEIGHT;
      const style = getComputedStyle(document.documentElement);
      drawStrip(pen, { width: element.width, height: HEIGHT }, opened.rewards, opened.values, {
        bar: style.getPropertyValue("--line-strong"),
        negative: style.getPropertyValue("--warn"),
        line: style.getPropertyValue("--focus"),
      });
    };
    draw();
    const sizes = new ResizeObserver(draw);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [opened, themeNow]);
  return canvas;
}
