/** One bar per episode. Pointer or arrow keys select one, a click or Enter opens it. */
import { type KeyboardEvent, useState } from "react";
import { formatSigned } from "@/lib/format";
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
  onOpen?: (episode: number) => void;
}

export function RewardBars({ bars, slots = 100, height = 140, onOpen }: RewardBarsProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = bars.slice(-slots);
  const boxes = barBoxes(shown, height);
  const index = chosen === null ? shown.length - 1 : Math.min(chosen, shown.length - 1);
  const bar = shown[index];
  const text = bar ? `Episode ${bar.episode}, reward ${formatSigned(bar.reward)}` : "No episode yet";

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
      <div
        role="slider"
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
                    : box.isNegative
                      ? "fill-line-strong"
                      : "fill-ink-3",
                )}
              />
            </g>
          ))}
        </svg>
      </div>
      <p className="figures mt-2 h-4 text-2xs text-ink-3" aria-hidden="true">
        {text}
      </p>
    </div>
  );
}

/** Bars start at zero, upwards for a positive reward and downwards for a negative one. */
export function barBoxes(bars: readonly Bar[], height: number) {
  const values = bars.map((b) => b.reward).filter((v): v is number => v !== null && Number.isFinite(v));
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const span = high - low || 1;
  const at = (value: number) => ((high - value) / span) * height;
  return bars.map(({ reward }) => {
    if (reward === null || !Number.isFinite(reward)) return { y: at(0), height: 0, isNegative: false };
    const top = Math.min(at(reward), at(0));
    return { y: top, height: Math.max(1, Math.abs(at(reward) - at(0))), isNegative: reward < 0 };
  });
}
