/** A histogram on which a range is chosen: drag over bars, or press one; Shift and a press extends the range. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { formatCount, formatNumber, formatPlural } from "@/lib/format";
import { cx } from "@/ui/cx";
import { type Bars, isCovered, isOpen, type Range, rangeOf } from "./brush";

export interface HistogramBrushProps {
  /** What is counted by what: "Return". */
  title: string;
  bars: Bars;
  range: Range;
  onRange: (range: Range) => void;
  height?: number;
}

export function HistogramBrush({ title, bars, range, onRange, height = 72 }: HistogramBrushProps) {
  const { edges, counts } = bars;
  const most = Math.max(1, ...counts);
  const anchor = useRef<number | null>(null);
  const [dragged, setDragged] = useState<Range | null>(null);
  const shown = dragged ?? range;
  const indexAt = (event: PointerEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    return Math.min(counts.length - 1, Math.max(0, Math.floor(share * counts.length)));
  };
  const choose = (from: number, to: number) => {
    const next = rangeOf(bars, from, to);
    onRange(next.low === range.low && next.high === range.high ? {} : next);
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onRange({});
    }
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const sibling = event.currentTarget.parentElement?.children[index + step];
    if (step !== 0) (sibling as HTMLElement | undefined)?.focus();
  };
  if (counts.length === 0 || edges.length !== counts.length + 1) return null;
  return (
    <div className="min-w-0">
      <fieldset
        className="flex touch-none items-end select-none"
        style={{ height }}
        onPointerDown={(event) => {
          if (event.shiftKey && anchor.current !== null) return;
          anchor.current = indexAt(event);
          setDragged(rangeOf(bars, anchor.current, anchor.current));
        }}
        onPointerMove={(event) => {
          if (dragged && anchor.current !== null) setDragged(rangeOf(bars, anchor.current, indexAt(event)));
        }}
        onPointerUp={(event) => {
          setDragged(null);
          if (anchor.current !== null) choose(anchor.current, indexAt(event));
        }}
        onPointerLeave={() => {
          if (dragged) onRange(dragged);
          setDragged(null);
        }}
      >
        <legend className="sr-only">{`${title}: bars choose a range`}</legend>
        {counts.map((count, i) => (
          <button
            key={i}
            type="button"
            tabIndex={i === 0 ? 0 : -1}
            aria-pressed={!isOpen(shown) && isCovered(bars, i, shown)}
            title={barTitle(bars, i)}
            onKeyDown={(event) => onKeyDown(event, i)}
            // A press with the pointer is handled above; a click without one comes from the keyboard.
            onClick={(event) => {
              if (event.detail !== 0) return;
              const from = event.shiftKey && anchor.current !== null ? anchor.current : i;
              anchor.current = from;
              choose(from, i);
            }}
            className="group ring-inside flex h-full min-w-0 flex-1 items-end px-px"
          >
            <span className="sr-only">{barTitle(bars, i)}</span>
            <span
              aria-hidden="true"
              className={cx(
                "w-full rounded-t-[1px] group-hover:bg-ink",
                isCovered(bars, i, shown) ? "bg-ink-3" : "bg-line",
              )}
              style={{ height: count === 0 ? 0 : Math.max(2, (count / most) * height) }}
            />
          </button>
        ))}
      </fieldset>
      <p aria-hidden="true" className="figures flex justify-between border-t pt-1 text-2xs text-ink-3">
        <span>{formatNumber(edges[0], 4)}</span>
        {!isOpen(shown) && <span className="text-ink-2">{rangeText(shown)}</span>}
        <span>{formatNumber(edges.at(-1), 4)}</span>
      </p>
    </div>
  );
}

const barTitle = ({ edges, counts }: Bars, i: number): string =>
  `${formatPlural(counts[i]!, "episode")} from ${formatNumber(edges[i], 4)} to ${formatNumber(edges[i + 1], 4)}`;

/** "100 to 200", "at least 100". */
export function rangeText({ low, high }: Range): string {
  if (low === undefined) return high === undefined ? "all" : `at most ${formatNumber(high, 4)}`;
  return high === undefined
    ? `at least ${formatNumber(low, 4)}`
    : `${formatNumber(low, 4)} to ${formatNumber(high, 4)}`;
}

/** How often each of a few values occurs. */
export interface ShareBarsProps {
  title: string;
  counts: readonly number[];
  /** Of the bars; their numbers where it is empty. */
  names?: readonly string[];
}

export function ShareBars({ title, counts, names = [] }: ShareBarsProps) {
  const all = Math.max(
    1,
    counts.reduce((sum, count) => sum + count, 0),
  );
  return (
    <ul aria-label={title} className="flex flex-col gap-1">
      {counts.map((count, i) => (
        <li
          key={i}
          className={cx(
            "figures grid items-center gap-2 text-2xs",
            names.length > 0 ? "grid-cols-[7.5rem_1fr_4rem]" : "grid-cols-[2rem_1fr_5.5rem]",
          )}
        >
          <span className="truncate text-ink-2" title={names[i]}>
            {names[i] ?? i}
          </span>
          <span aria-hidden="true" className="h-2.5 rounded-sm bg-sunken">
            <span className="block h-full rounded-sm bg-ink-3" style={{ width: `${(count / all) * 100}%` }} />
          </span>
          <span className="text-right" title={formatCount(count)}>
            {`${((count / all) * 100).toFixed(1)} %`}
          </span>
        </li>
      ))}
    </ul>
  );
}
