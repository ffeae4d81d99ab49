/** The measure over one parameter: a dot for each variant, with the range of its seeds. */
import { memo, useMemo, useRef, useState } from "react";
import { formatNumber, formatPlural } from "@/lib/format";
import { extentOf, type SweepAxis, shareOf, ticksOf } from "./axes";
import { rampColour } from "./ramp";
import { useWidth } from "./use-width";

export interface SlicePoint {
  variant: number;
  label: string;
  x: number;
  value: number;
  low?: number | null;
  high?: number | null;
  seeds: number;
  is_pruned: boolean;
}

export interface SlicePlotProps {
  axis: SweepAxis;
  points: readonly SlicePoint[];
  measure: string;
  isDark: boolean;
}

const HEIGHT = 190;
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 14, 10, 26];

export function SlicePlot({ axis, points, measure, isDark }: SlicePlotProps) {
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder, 320);
  const [hovered, setHovered] = useState<SlicePoint | null>(null);
  const [low, high] = useMemo(
    () =>
      extentOf(points.flatMap((point) => [point.value, point.low ?? point.value, point.high ?? point.value])),
    [points],
  );
  const x = (place: number) => LEFT + 8 + shareOf(axis, place) * (width - LEFT - RIGHT - 16);
  const y = (value: number) => TOP + (1 - (value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const nearest = (px: number, py: number) =>
    points.reduce<{ point: SlicePoint | null; away: number }>(
      (best, point) => {
        const away = Math.hypot(x(point.x) - px, y(point.value) - py);
        return away < best.away ? { point, away } : best;
      },
      { point: null, away: 20 },
    ).point;
  return (
    <figure ref={holder} className="min-w-0">
      <svg
        role="img"
        aria-label={`${measure} over ${axis.title}: ${formatPlural(points.length, "variant")}; the table of variants has the numbers.`}
        width={width}
        height={HEIGHT}
        className="block"
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setHovered(nearest(event.clientX - box.left, event.clientY - box.top));
        }}
        onPointerLeave={() => setHovered(null)}
      >
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line
              x1={LEFT}
              x2={width - RIGHT}
              y1={y(low + share * (high - low))}
              y2={y(low + share * (high - low))}
              className="stroke-line"
            />
            <text
              x={LEFT - 6}
              y={y(low + share * (high - low)) + 3.5}
              textAnchor="end"
              className="figures fill-ink-3 text-2xs"
            >
              {formatNumber(low + share * (high - low))}
            </text>
          </g>
        ))}
        {ticksOf(axis).map((tick) => (
          <text
            key={tick.share}
            x={LEFT + 8 + tick.share * (width - LEFT - RIGHT - 16)}
            y={HEIGHT - 8}
            textAnchor={tick.share < 0.02 ? "start" : tick.share > 0.98 ? "end" : "middle"}
            className="figures fill-ink-3 text-2xs"
          >
            {tick.text}
          </text>
        ))}
        <Dots
          points={points}
          x={x}
          y={y}
          range={[low, high]}
          isDark={isDark}
          shape={`${width} ${low} ${high}`}
        />
        {hovered && (
          <circle
            cx={x(hovered.x)}
            cy={y(hovered.value)}
            r={6}
            className="fill-none stroke-ink"
            strokeWidth={2}
          />
        )}
      </svg>
      <figcaption className="figures h-4 truncate text-2xs text-ink-2">
        <span className="font-sans font-medium text-ink">{axis.title}</span>
        {hovered &&
          `  ${hovered.label}: ${formatNumber(hovered.value, 4)}${hovered.is_pruned ? ", stopped early" : ""}`}
      </figcaption>
    </figure>
  );
}

interface DotsProps {
  points: readonly SlicePoint[];
  x: (place: number) => number;
  y: (value: number) => number;
  range: readonly [number, number];
  isDark: boolean;
  /** Changes with the scales: the functions themselves are new each time. */
  shape: string;
}

const Dots = memo(
  function Dots({ points, x, y, range, isDark }: DotsProps) {
    return (
      <g>
        {points.map((point) => {
          const share = (point.value - range[0]) / (range[1] - range[0]);
          const colour = rampColour(0.25 + 0.75 * share, isDark);
          const ends = [point.low, point.high];
          return (
            <g key={point.variant} stroke={colour}>
              {typeof ends[0] === "number" && typeof ends[1] === "number" && (
                <line x1={x(point.x)} x2={x(point.x)} y1={y(ends[0])} y2={y(ends[1])} strokeWidth={1.25} />
              )}
              <circle
                cx={x(point.x)}
                cy={y(point.value)}
                r={3.5}
                fill={point.is_pruned ? "var(--surface)" : colour}
                strokeWidth={1.5}
              />
            </g>
          );
        })}
      </g>
    );
  },
  (a, b) => a.points === b.points && a.isDark === b.isDark && a.shape === b.shape,
);
