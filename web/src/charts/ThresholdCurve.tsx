/** A small curve with a dashed line at a threshold; what is above it has the colour of success. */
import { useId } from "react";
import { formatNumber } from "@/lib/format";
import { cx } from "@/ui/cx";

export interface ThresholdCurveProps {
  title: string;
  values: readonly number[];
  threshold: number | null;
  height?: number;
  className?: string;
}

const WIDTH = 240;
const MARGIN = 3;

export function ThresholdCurve({ title, values, threshold, height = 56, className }: ThresholdCurveProps) {
  const id = useId();
  if (values.length < 2) return null;
  const { line, thresholdAt } = curveOf(values, threshold, height);
  const last = values.at(-1)!;
  const goal = threshold === null ? "" : `, threshold ${formatNumber(threshold)}`;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${title}: from ${formatNumber(values[0])} to ${formatNumber(last)}${goal}`}
      height={height}
      className={cx("block w-full", className)}
    >
      <polyline points={line} fill="none" className="stroke-ink-3" {...STROKE} />
      {thresholdAt !== null && (
        <>
          <clipPath id={id}>
            <rect x={0} y={0} width={WIDTH} height={thresholdAt} />
          </clipPath>
          <polyline points={line} fill="none" className="stroke-good" clipPath={`url(#${id})`} {...STROKE} />
          <line
            x1={0}
            x2={WIDTH}
            y1={thresholdAt}
            y2={thresholdAt}
            strokeDasharray="4 3"
            strokeWidth={1}
            vectorEffect="non-scaling-stroke"
            className="stroke-good"
          />
        </>
      )}
    </svg>
  );
}

const STROKE = { strokeWidth: 1.75, vectorEffect: "non-scaling-stroke", strokeLinejoin: "round" } as const;

/** The points of the line and the height of the threshold, both within the picture. */
export function curveOf(values: readonly number[], threshold: number | null, height: number) {
  const all = threshold === null ? values : [...values, threshold];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const at = (value: number) => MARGIN + ((high - value) / (high - low || 1)) * (height - 2 * MARGIN);
  const step = WIDTH / (values.length - 1);
  return {
    line: values.map((value, i) => `${(i * step).toFixed(1)},${at(value).toFixed(1)}`).join(" "),
    thresholdAt: threshold === null ? null : at(threshold),
  };
}
