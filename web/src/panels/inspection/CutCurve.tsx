/** A line through the loss surface, on the scale of the whole surface so that cuts can be compared. */
import { useRef } from "react";
import { useWidth } from "@/charts/sweeps/use-width";
import { formatNumber } from "@/lib/format";

export interface CutCurveProps {
  xs: readonly number[];
  ys: readonly (number | null)[];
  low: number;
  high: number;
  label: string;
}

const HEIGHT = 220;
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 12, 10, 28];

export function CutCurve({ xs, ys, low, high, label }: CutCurveProps) {
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder, 420);
  const [first, last] = [xs[0] ?? 0, xs.at(-1) ?? 1];
  const toX = (x: number) => LEFT + ((x - first) / (last - first || 1)) * (width - LEFT - RIGHT);
  const toY = (y: number) => HEIGHT - BOTTOM - ((y - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  return (
    <div ref={holder} className="min-w-0">
      <svg role="img" aria-label={label} width={width} height={HEIGHT} className="block">
        {[low, (low + high) / 2, high].map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={width - RIGHT} y1={toY(value)} y2={toY(value)} className="stroke-line" />
            <text x={LEFT - 6} y={toY(value) + 3.5} textAnchor="end" className="figures fill-ink-3 text-2xs">
              {formatNumber(value)}
            </text>
          </g>
        ))}
        {[first, 0, last].map((value) => (
          <text
            key={value}
            x={toX(value)}
            y={HEIGHT - 8}
            textAnchor="middle"
            className="figures fill-ink-3 text-2xs"
          >
            {formatNumber(value)}
          </text>
        ))}
        <path d={pathOf(xs, ys, toX, toY)} className="fill-none stroke-ink" strokeWidth={1.5} />
      </svg>
    </div>
  );
}

type Place = (value: number) => number;

/** The line has a gap where a loss is not finite. */
export function pathOf(
  xs: readonly number[],
  ys: readonly (number | null)[],
  toX: Place,
  toY: Place,
): string {
  let isDrawing = false;
  return xs
    .map((x, i) => {
      const y = ys[i] ?? null;
      const step = y === null ? "" : `${isDrawing ? "L" : "M"}${toX(x).toFixed(1)} ${toY(y).toFixed(1)}`;
      isDrawing = y !== null;
      return step;
    })
    .join("");
}
