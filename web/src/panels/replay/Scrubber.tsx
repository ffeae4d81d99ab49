/** The strip of one episode or of several: drag or scroll over it to move all of them through time. */
import { type RefObject, useEffect, useRef, useState } from "react";
import { drawWho } from "@/entities/plays/who";
import { formatCount } from "@/lib/format";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import type { Opened } from "./messages";
import type { Playback } from "./playback";
import { StripLegend } from "./StripLegend";
import { drawStrip } from "./strip";
import { type Track, textAt } from "./tracks";

export interface ScrubberProps {
  label: string;
  tracks: readonly Track[];
  playback: Playback;
  /** Where a fork leaves the episode. */
  mark?: number | null;
}

const HEIGHT = 56;

export function Scrubber({ label, tracks, playback, mark }: ScrubberProps) {
  const { step, length, seek } = playback;
  const place = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const stepAt = (clientX: number) => {
    const box = place.current!.getBoundingClientRect();
    return Math.max(0, Math.min(length, Math.round(((clientX - box.left) / box.width) * length)));
  };
  useWheel(place, playback);
  const share = (at: number) => `${length === 0 ? 0 : (at / length) * 100}%`;
  return (
    <>
      <div
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={length}
        aria-valuenow={step}
        aria-valuetext={`step ${step} of ${length}, ${tracks.map((track) => textAt(track, step)).join("; ")}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          seek(stepAt(event.clientX));
        }}
        onPointerMove={(event) => {
          setHovered(stepAt(event.clientX));
          if (event.buttons > 0) seek(stepAt(event.clientX));
        }}
        onPointerLeave={() => setHovered(null)}
        className="relative w-full cursor-ew-resize touch-none border-y bg-sunken select-none focus-visible:-outline-offset-2"
      >
        {tracks.map((track) => (
          <Strip key={track.title} opened={track.opened} length={length} />
        ))}
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
        {hovered !== null && length > 0 && <Hint tracks={tracks} step={hovered} share={hovered / length} />}
      </div>
      <StripLegend tracks={tracks} isForked={mark !== null && mark !== undefined} />
    </>
  );
}

/** Reward, value and action of the step under the pointer. */
function Hint({ tracks, step, share }: { tracks: readonly Track[]; step: number; share: number }) {
  return (
    <div
      aria-hidden="true"
      className="figures pointer-events-none absolute bottom-full z-20 mb-1 rounded-sm bg-ink px-2 py-1 text-2xs whitespace-nowrap text-on-ink"
      style={{ left: `${share * 100}%`, transform: `translateX(-${share * 100}%)` }}
    >
      {`step ${formatCount(step)}`}
      {tracks.map((track) => (
        <div key={track.title}>
          {tracks.length > 1 && `${track.title}: `}
          {textAt(track, step)}
        </div>
      ))}
    </div>
  );
}

/** React listens passively, which cannot keep the page from scrolling. */
function useWheel(place: RefObject<HTMLDivElement | null>, playback: Playback): void {
  const latest = useRef(playback);
  latest.current = playback;
  useEffect(() => {
    const element = place.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { step, length, seek } = latest.current;
      seek(step + Math.sign(event.deltaY || event.deltaX) * Math.max(1, Math.round(length / 200)));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [place]);
}

/** One episode; a shorter one fills its share of the width, so that the same step is under the same place. */
function Strip({ opened, length }: { opened: Opened | null; length: number }) {
  const canvas = useStrip(opened);
  const share = opened && length > 0 ? opened.length / length : 1;
  return (
    <div className="border-b last:border-0" style={{ height: HEIGHT }}>
      <canvas ref={canvas} className="h-full" style={{ width: `${share * 100}%` }} />
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
      drawWho(pen, { width: element.width, height: HEIGHT }, opened.who, {
        person: style.getPropertyValue("--live"),
        agent: style.getPropertyValue("--ink"),
      });
    };
    draw();
    const sizes = new ResizeObserver(draw);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [opened, themeNow]);
  return canvas;
}
