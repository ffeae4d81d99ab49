/**
 * A short tour of the page: a ring around a part of it and a card that explains it. The page stays
 * usable underneath; Escape or Close ends it, arrow keys and buttons move.
 */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Button, IconButton } from "@/ui/Button";
import { cardPlace, type Place, type Rect } from "./place";

export interface TourStop {
  /** The `data-tour` of the part it explains. */
  at: string;
  title: string;
  text: string;
}

export default function Tour({ stops, onEnd }: { stops: readonly TourStop[]; onEnd: () => void }) {
  const [index, setIndex] = useState(0);
  const stop = stops[index]!;
  const around = useRectOf(stop.at);
  const next = () => (index + 1 < stops.length ? setIndex(index + 1) : onEnd());
  const before = () => setIndex(Math.max(0, index - 1));
  const onKeyDown = (event: KeyboardEvent) => {
    const act = { Escape: onEnd, ArrowRight: next, ArrowLeft: before }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <>
      {around && (
        <div
          aria-hidden="true"
          className="pointer-events-none fixed z-40 rounded-md outline-2 outline-offset-2 outline-focus transition-all duration-200"
          style={{ ...around, boxShadow: "0 0 0 200vmax rgb(10 12 16 / 0.28)" }}
        />
      )}
      <TourCard
        stop={stop}
        place={cardPlace(around, { width: window.innerWidth, height: window.innerHeight })}
        count={`${index + 1} of ${stops.length}`}
        onKeyDown={onKeyDown}
        onClose={onEnd}
        onBack={index > 0 ? before : undefined}
        onNext={next}
        isLast={index + 1 === stops.length}
      />
    </>
  );
}

interface CardProps {
  stop: TourStop;
  place: Place;
  count: string;
  isLast: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
  onClose: () => void;
  onBack?: () => void;
  onNext: () => void;
}

function TourCard({ stop, place, count, isLast, onKeyDown, onClose, onBack, onNext }: CardProps) {
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each stop is read out anew
  useEffect(() => card.current?.focus({ preventScroll: true }), [stop]);
  return (
    <div
      ref={card}
      role="dialog"
      aria-modal="false"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="fixed z-50 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2 rounded-md border border-line-strong bg-surface p-4 shadow-pop outline-none transition-[top,left] duration-200"
      style={place}
    >
      <div className="flex items-center justify-between gap-3">
        <h2 id={`${id}-title`} className="label">
          {stop.title}
        </h2>
        <IconButton icon="close" label="End the tour" onClick={onClose} className="-mt-1 -mr-1" />
      </div>
      <p id={`${id}-text`} className="text-sm text-ink-2">
        {stop.text}
      </p>
      <div className="mt-1 flex items-center gap-2">
        <span className="figures mr-auto text-2xs text-ink-3">{count}</span>
        {onBack && (
          <Button small kind="quiet" onClick={onBack}>
            Back
          </Button>
        )}
        <Button small kind="primary" onClick={onNext}>
          {isLast ? "Done" : "Next"}
        </Button>
      </div>
    </div>
  );
}

/** Where the part is on the screen, also after a resize, a scroll or a fold. */
function useRectOf(name: string): Rect | null {
  const [rect, setRect] = useState<Rect | null>(null);
  useEffect(() => {
    const part = document.querySelector<HTMLElement>(`[data-tour="${name}"]`);
    part?.scrollIntoView({ block: "nearest" });
    const measure = () => {
      const box = part?.getBoundingClientRect();
      const isShown = box && box.width > 0;
      setRect(isShown ? { top: box.top, left: box.left, width: box.width, height: box.height } : null);
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (part) observer.observe(part);
    window.addEventListener("resize", measure);
    window.addEventListener("scroll", measure, true);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", measure);
      window.removeEventListener("scroll", measure, true);
    };
  }, [name]);
  return rect;
}
