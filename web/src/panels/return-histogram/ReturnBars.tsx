/** A histogram of returns whose bars are buttons: one filters the episodes by its returns, again clears the filter. */
import type { ReturnHistogram } from "@/api/types";
import { formatNumber, formatPlural } from "@/lib/format";
import { cx } from "@/ui/cx";

type Bar = ReturnHistogram["bars"][number];

export interface ReturnBarsProps {
  histogram: ReturnHistogram;
  /** The range that the list is filtered by. */
  low: number | undefined;
  high: number | undefined;
  onRange: (low: number | undefined, high: number | undefined) => void;
}

const HEIGHT_PX = 56;

export function ReturnBars({ histogram, low, high, onRange }: ReturnBarsProps) {
  const { bars, without_return: unknown } = histogram;
  const most = Math.max(1, ...bars.map((bar) => bar.episodes));
  const isFiltered = low !== undefined || high !== undefined;
  if (bars.length === 0) return null;
  return (
    <div className="border-b px-3 pt-3 pb-2">
      <fieldset className="flex items-end" style={{ height: HEIGHT_PX }}>
        <legend className="sr-only">Returns: a bar filters the episodes</legend>
        {bars.map((bar) => (
          <button
            key={bar.start}
            type="button"
            aria-pressed={isFiltered && isInside(bar, low, high)}
            title={barTitle(bar)}
            disabled={bar.episodes === 0}
            onClick={() =>
              isOnly(bar, low, high)
                ? onRange(undefined, undefined)
                : onRange(bar.low ?? undefined, bar.high ?? undefined)
            }
            className="group flex h-full min-w-0 flex-1 items-end px-px"
          >
            <span className="sr-only">{barTitle(bar)}</span>
            <span
              aria-hidden="true"
              className={cx(
                "w-full rounded-t-[1px] group-hover:bg-ink",
                isInside(bar, low, high) ? "bg-ink-3" : "bg-line",
              )}
              style={{ height: bar.episodes === 0 ? 0 : Math.max(2, (bar.episodes / most) * HEIGHT_PX) }}
            />
          </button>
        ))}
      </fieldset>
      <p aria-hidden="true" className="figures mt-1 flex justify-between text-2xs text-ink-3">
        <span>{formatNumber(bars[0]!.start)}</span>
        {unknown > 0 && <span>{formatPlural(unknown, "unknown return")}</span>}
        <span>{formatNumber(bars.at(-1)!.end)}</span>
      </p>
    </div>
  );
}

const barTitle = (bar: Bar): string =>
  `${formatPlural(bar.episodes, "episode")} with a return of ${formatNumber(bar.start)} to ${formatNumber(bar.end)}`;

/** Whether the list shows episodes of this bar. */
export const isInside = (bar: Bar, low = -Infinity, high = Infinity): boolean =>
  bar.low !== null && bar.high !== null && bar.high! >= low && bar.low! <= high;

const isOnly = (bar: Bar, low: number | undefined, high: number | undefined): boolean =>
  bar.low === low && bar.high === high;
