/** The measure over two parameters: colours and lines of equal value between the variants, which are dots. */
import { memo, useMemo, useRef } from "react";
import { formatNumber, formatPlural } from "@/lib/format";
import { extentOf, type SweepAxis, shareOf, ticksOf } from "./axes";
import { contourAt, type Grid, levelsOf } from "./contours";
import { Ramp } from "./Ramp";
import { rampColour } from "./ramp";
import { useWidth } from "./use-width";

export interface ContourPlotProps {
  x: SweepAxis;
  y: SweepAxis;
  xs: readonly number[];
  ys: readonly number[];
  /** `values[row][column]` at `ys[row]`, `xs[column]`; null where no variant is near. */
  values: Grid;
  points: readonly { variant: number; label: string; x: number; y?: number | null; value: number }[];
  measure: string;
  /** What the picture shows, for screen readers; absent: the variants of a sweep. */
  description?: string;
  isDark: boolean;
}

const HEIGHT = 300;
const [LEFT, RIGHT, TOP, BOTTOM] = [60, 16, 12, 44];
const LEVELS = 6;

export const ContourPlot = memo(function ContourPlot(props: ContourPlotProps) {
  const { x, y, values, points, measure, isDark } = props;
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder, 480);
  const [low, high] = useMemo(
    () => extentOf([...values.flat().flatMap((value) => value ?? []), ...points.map(({ value }) => value)]),
    [values, points],
  );
  const [inner, tall] = [width - LEFT - RIGHT, HEIGHT - TOP - BOTTOM];
  // The first and the last place of an axis are the middles of the outer cells.
  const left = (share: number) => LEFT + middle(share, props.xs.length) * inner;
  const top = (share: number) => TOP + (1 - middle(share, props.ys.length)) * tall;
  return (
    <div ref={holder} className="flex min-w-0 flex-col gap-2">
      <svg
        role="img"
        aria-label={
          props.description ??
          `${measure} over ${x.title} and ${y.title}: ${formatPlural(points.length, "variant")}; the table of variants has the numbers.`
        }
        width={width}
        height={HEIGHT}
        className="block"
      >
        <Cells {...props} left={LEFT} top={TOP} width={inner} height={tall} low={low} high={high} />
        <rect x={LEFT} y={TOP} width={inner} height={tall} className="fill-none stroke-line-strong" />
        {points.map((point) => (
          <circle
            key={point.variant}
            cx={left(shareOf(x, point.x))}
            cy={top(shareOf(y, point.y ?? 0))}
            r={4}
            fill={rampColour((point.value - low) / (high - low), isDark)}
            className="stroke-ink"
            strokeWidth={1.25}
          >
            <title>{`${point.label}: ${formatNumber(point.value, 4)}`}</title>
          </circle>
        ))}
        {ticksOf(x).map((tick) => (
          <text
            key={tick.share}
            x={left(tick.share)}
            y={HEIGHT - BOTTOM + 16}
            textAnchor="middle"
            className="figures fill-ink-3 text-2xs"
          >
            {tick.text}
          </text>
        ))}
        <text x={LEFT + inner / 2} y={HEIGHT - 6} textAnchor="middle" className="fill-ink-2 text-2xs">
          {x.title}
        </text>
        <text
          transform={`translate(12 ${TOP + tall / 2}) rotate(-90)`}
          textAnchor="middle"
          className="fill-ink-2 text-2xs"
        >
          {y.title}
        </text>
        {ticksOf(y).map((tick) => (
          <text
            key={tick.share}
            x={LEFT - 6}
            y={top(tick.share) + 3.5}
            textAnchor="end"
            className="figures fill-ink-3 text-2xs"
          >
            {tick.text}
          </text>
        ))}
      </svg>
      <Ramp title={measure} low={low} high={high} isDark={isDark} />
    </div>
  );
});

const middle = (share: number, cells: number): number => (share * (cells - 1) + 0.5) / Math.max(1, cells);

interface CellsProps extends ContourPlotProps {
  left: number;
  top: number;
  width: number;
  height: number;
  low: number;
  high: number;
}

/** One rectangle for each place of the grid, and the lines of equal value over them. */
function Cells({ values, left, top, width, height, low, high, isDark }: CellsProps) {
  const [rows, columns] = [values.length, values[0]?.length ?? 0];
  const [wide, tall] = [width / Math.max(1, columns), height / Math.max(1, rows)];
  const toX = (column: number) => left + (column + 0.5) * wide;
  const toY = (row: number) => top + height - (row + 0.5) * tall;
  const lines = levelsOf(low, high, LEVELS).map((level) =>
    contourAt(values, level)
      .map(([from, to]) => `M${toX(from[0])} ${toY(from[1])}L${toX(to[0])} ${toY(to[1])}`)
      .join(""),
  );
  return (
    <g>
      {values.flatMap((row, r) =>
        row.map((value, c) =>
          value === null ? null : (
            <rect
              key={`${r} ${c}`}
              x={left + c * wide}
              y={top + height - (r + 1) * tall}
              width={wide + 0.5}
              height={tall + 0.5}
              fill={rampColour((value - low) / (high - low), isDark)}
              opacity={0.75}
            />
          ),
        ),
      )}
      {lines.map((path, i) => (
        <path key={i} d={path} className="fill-none stroke-surface" strokeWidth={1} opacity={0.8} />
      ))}
    </g>
  );
}
