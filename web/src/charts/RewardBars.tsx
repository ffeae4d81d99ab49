/** One bar per episode, with an axis and a threshold. Pointer or arrow keys select one, a click or Enter opens it. */
import { type KeyboardEvent, useState } from "react";
import { formatCount, formatNumber, formatSigned } from "@/lib/format";
import { cx } from "@/ui/cx";

export interface Bar {
  episode: number;
  reward: number | null;
}

export interface RewardBarsProps {
  bars: readonly Bar[];
  /** Slots along x; with fewer bars the rest stays empty, so that bars keep their width while a run begins. */
  slots?: number;
  height?: number;
  /** A dashed line; bars that reach it have the colour of success. */
  threshold?: number | null;
  /** How an episode is called. */
  titleOf?: (episode: number) => string;
  onOpen?: (episode: number) => void;
}

const plainTitle = (episode: number): string => `Episode ${formatCount(episode)}`;

export function RewardBars({
  bars,
  slots = 100,
  height = 140,
  threshold = null,
  titleOf = plainTitle,
  onOpen,
}: RewardBarsProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = bars.slice(-slots);
  const boxes = barBoxes(shown, height, threshold);
  const scale = barScale(shown, threshold);
  const index = chosen === null ? shown.length - 1 : Math.min(chosen, shown.length - 1);
  const bar = shown[index];
  const text = bar ? `${titleOf(bar.episode)}, reward ${formatSigned(bar.reward)}` : "No episode yet";

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step !== 0) setChosen(Math.max(0, Math.min(shown.length - 1, index + step)));
    else if (event.key === "Enter" && bar) onOpen?.(bar.episode);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div>
      <div className="flex gap-2">
        {shown.length > 0 && <BarAxis bars={shown} height={height} threshold={threshold} />}
        <div
          role="slider"
          className="min-w-0 flex-1"
          tabIndex={0}
          aria-label="Reward of the last episodes"
          aria-valuemin={0}
          aria-valuemax={Math.max(0, shown.length - 1)}
          aria-valuenow={Math.max(0, index)}
          aria-valuetext={text}
          onKeyDown={onKeyDown}
          onPointerLeave={() => setChosen(null)}
        >
          <svg
            viewBox={`0 0 ${slots} ${height}`}
            preserveAspectRatio="none"
            width="100%"
            height={height}
            aria-hidden="true"
            className="block"
          >
            {boxes.map((box, i) => (
              // biome-ignore lint/a11y/noStaticElementInteractions: the slider around it is the control
              <g
                key={shown[i]!.episode}
                onPointerEnter={() => setChosen(i)}
                onClick={() => onOpen?.(shown[i]!.episode)}
                className={cx(onOpen && "cursor-pointer")}
              >
                <rect x={i} y={0} width={1} height={height} fill="transparent" />
                <rect
                  x={i + 0.14}
                  y={box.y}
                  width={0.72}
                  height={box.height}
                  className={cx(
                    i === index && chosen !== null
                      ? "fill-ink"
                      : box.isSolved
                        ? "fill-good"
                        : box.isNegative
                          ? "fill-line-strong"
                          : "fill-ink-3",
                  )}
                />
              </g>
            ))}
            {scale.threshold !== null && (
              <line
                x1={0}
                x2={slots}
                y1={((scale.high - scale.threshold) / (scale.high - scale.low || 1)) * height}
                y2={((scale.high - scale.threshold) / (scale.high - scale.low || 1)) * height}
                strokeDasharray="5 4"
                strokeWidth={1.25}
                vectorEffect="non-scaling-stroke"
                className="pointer-events-none stroke-ink"
              />
            )}
          </svg>
        </div>
      </div>
      <p className="figures mt-2 h-4 text-2xs text-ink-3" aria-hidden="true">
        {text}
      </p>
    </div>
  );
}

/** The lowest and highest value of the axis: zero is always on it, the threshold once the bars come near it. */
export function barScale(bars: readonly Bar[], threshold: number | null = null) {
  const values = bars.map((b) => b.reward).filter((v): v is number => v !== null && Number.isFinite(v));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const isNear = threshold !== null && values.length > 0 && threshold >= low && threshold <= 2 * high;
  const isShown = threshold !== null && (isNear || (threshold <= high && threshold >= low));
  return { low, high: isShown ? Math.max(high, threshold) : high, threshold: isShown ? threshold : null };
}

/** Bars start at zero, upwards for a positive reward and downwards for a negative one. */
export function barBoxes(bars: readonly Bar[], height: number, threshold: number | null = null) {
  const { low, high } = barScale(bars, threshold);
  const span = high - low || 1;
  const at = (value: number) => ((high - value) / span) * height;
  return bars.map(({ reward }) => {
    const isSolved = threshold !== null && reward !== null && reward >= threshold;
    if (reward === null || !Number.isFinite(reward))
      return { y: at(0), height: 0, isNegative: false, isSolved: false };
    const top = Math.min(at(reward), at(0));
    return { y: top, height: Math.max(1, Math.abs(at(reward) - at(0))), isNegative: reward < 0, isSolved };
  });
}

/** The values at the left edge: highest, zero, lowest, and the threshold. */
function BarAxis({
  bars,
  height,
  threshold,
}: {
  bars: readonly Bar[];
  height: number;
  threshold: number | null;
}) {
  const scale = barScale(bars, threshold);
  const span = scale.high - scale.low || 1;
  const top = (value: number) => ((scale.high - value) / span) * height;
  const marks = [scale.threshold ?? scale.high, scale.high, 0, scale.low];
  const apart = marks.filter((mark, i) =>
    marks.slice(0, i).every((m) => Math.abs(top(m) - top(mark)) >= LABEL_PX),
  );
  return (
    <div
      aria-hidden="true"
      className="figures relative w-10 shrink-0 text-right text-2xs text-ink-3"
      style={{ height }}
    >
      {apart.map((mark) => (
        <span
          key={mark}
          className={cx("absolute right-0 -translate-y-1/2", mark === scale.threshold && "text-good")}
          style={{ top: top(mark) }}
        >
          {formatNumber(mark)}
        </span>
      ))}
    </div>
  );
}

/** Labels of the axis that would be nearer than this are left out. */
const LABEL_PX = 12;
