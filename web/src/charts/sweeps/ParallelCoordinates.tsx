/** Variants as lines over their parameters, coloured by their value. Drag along an axis to keep a range of it. */
import { memo, type PointerEvent, useMemo, useRef, useState } from "react";
import { formatNumber } from "@/lib/format";
import { Button } from "@/ui/Button";
import { extentOf, placeAt, placeText, type SweepAxis, shareOf, ticksOf } from "./axes";
import {
  axisX,
  type Brushes,
  type Frame,
  isKept,
  lineAt,
  linePath,
  type ParallelLine,
  shareY,
} from "./parallel";
import { Ramp } from "./Ramp";
import { rampColour } from "./ramp";
import { useWidth } from "./use-width";

export interface ParallelPoint {
  variant: number;
  label: string;
  /** By name of the axis. */
  places: Readonly<Record<string, number>>;
  value: number | null;
}

export interface ParallelCoordinatesProps {
  axes: readonly SweepAxis[];
  points: readonly ParallelPoint[];
  /** What the value is: "mean return of the last 100 episodes". */
  measure: string;
  isDark: boolean;
  /** The variants inside all brushes; null without a brush. */
  onKeep?: (variants: number[] | null) => void;
  onOpen?: (variant: number) => void;
}

const HEIGHT = 280;
const STRIP_PX = 28;

export function ParallelCoordinates(props: ParallelCoordinatesProps) {
  const { points, measure, isDark, onKeep, onOpen } = props;
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder, 640);
  const [brushes, setBrushes] = useState<Brushes>({});
  const [hovered, setHovered] = useState<ParallelLine | null>(null);
  const axes = useMemo(() => withValue(props.axes, points), [props.axes, points]);
  const lines = useMemo(() => linesOf(axes, points), [axes, points]);
  const frame = useMemo<Frame>(
    () => ({ left: 44, top: 40, width: Math.max(120, width - 100), height: HEIGHT - 64 }),
    [width],
  );
  const kept = useMemo(() => lines.filter((line) => isKept(line, brushes)), [lines, brushes]);
  const brush = (next: Brushes) => {
    setBrushes(next);
    const inside = lines.filter((line) => isKept(line, next)).map((line) => line.variant);
    onKeep?.(Object.keys(next).length === 0 ? null : inside);
  };
  const value = axes.at(-1)!;
  const onMove = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setHovered(lineAt(kept, frame, event.clientX - box.left, event.clientY - box.top));
  };
  return (
    <div ref={holder} className="flex min-w-0 flex-col gap-2">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the table of variants below opens them by keyboard */}
      <svg
        role="img"
        aria-label={`${points.length} variants over ${props.axes.map((axis) => axis.title).join(", ")}; the table of variants has the same numbers.`}
        width={width}
        height={HEIGHT}
        className="block touch-pan-y select-none"
        onPointerMove={onMove}
        onPointerLeave={() => setHovered(null)}
        onClick={() => hovered && onOpen?.(hovered.variant)}
      >
        <Lines lines={lines} frame={frame} isDark={isDark} brushes={brushes} />
        {hovered && (
          <path
            d={linePath(hovered, frame)}
            className="fill-none stroke-ink"
            strokeWidth={3}
            strokeLinejoin="round"
          />
        )}
        {axes.map((axis, i) => (
          <AxisWithBrush
            key={axis.name}
            axis={axis}
            x={axisX(frame, i, axes.length)}
            place={i === 0 ? "first" : i === axes.length - 1 ? "last" : "middle"}
            frame={frame}
            brush={brushes[i]}
            onBrush={(range) => {
              const { [i]: _, ...others } = brushes;
              brush(range ? { ...others, [i]: range } : others);
            }}
          />
        ))}
      </svg>
      <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-1">
        <Ramp title={measure} low={value.low} high={value.high} isDark={isDark} />
        {Object.entries(brushes).map(([i, [from, to]]) => {
          const axis = axes[Number(i)]!;
          const ends = [Math.min(from, to), Math.max(from, to)].map((share) =>
            placeText(axis, placeAt(axis, share)),
          );
          const { [Number(i)]: _, ...others } = brushes;
          return (
            <Button key={i} small icon="close" onClick={() => brush(others)}>
              {`${axis.title} ${ends.join(" – ")}`}
            </Button>
          );
        })}
        <p className="figures min-w-0 truncate text-2xs text-ink-2" aria-hidden="true">
          {hovered ? `${hovered.label}  ${formatNumber(hovered.value, 4)}` : ""}
        </p>
      </div>
    </div>
  );
}

/** The parameters, and the measure as the last axis. */
function withValue(axes: readonly SweepAxis[], points: readonly ParallelPoint[]): SweepAxis[] {
  const [low, high] = extentOf(points.flatMap(({ value }) => value ?? []));
  return [...axes, { name: "value", title: "Result", is_log: false, low, high }];
}

/** Worst first, so that the best lines are drawn over the others. */
function linesOf(axes: readonly SweepAxis[], points: readonly ParallelPoint[]): ParallelLine[] {
  const sorted = points.toSorted((a, b) => (a.value ?? -Infinity) - (b.value ?? -Infinity));
  return sorted.map(({ variant, label, places, value }) => ({
    variant,
    label,
    value,
    shares: axes.map((axis) => {
      const place = axis.name === "value" ? value : places[axis.name];
      return place === undefined || place === null ? null : shareOf(axis, place);
    }),
  }));
}

interface LinesProps {
  lines: readonly ParallelLine[];
  frame: Frame;
  isDark: boolean;
  brushes: Brushes;
}

/** Not drawn again while the pointer moves. */
const Lines = memo(function Lines({ lines, frame, isDark, brushes }: LinesProps) {
  return (
    <g fill="none" strokeLinejoin="round">
      {lines.map((line) => {
        const isInside = isKept(line, brushes);
        return (
          <path
            key={line.variant}
            d={linePath(line, frame)}
            stroke={isInside ? rampColour(line.shares.at(-1) ?? 0, isDark) : "var(--line)"}
            strokeWidth={isInside ? 1.5 : 1}
            strokeDasharray={line.value === null ? "2 3" : undefined}
          />
        );
      })}
    </g>
  );
});

interface AxisProps {
  axis: SweepAxis;
  x: number;
  place: "first" | "middle" | "last";
  frame: Frame;
  brush: readonly [number, number] | undefined;
  onBrush: (range: readonly [number, number] | null) => void;
}

function AxisWithBrush({ axis, x, place, frame, brush, onBrush }: AxisProps) {
  const start = useRef<number | null>(null);
  const shareAt = (event: PointerEvent<SVGRectElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, 1 - (event.clientY - box.top) / box.height));
  };
  const anchor = place === "last" ? "end" : place === "first" ? "start" : "middle";
  const [low, high] = brush ? [Math.min(...brush), Math.max(...brush)] : [0, 0];
  return (
    <g>
      <text
        x={place === "first" ? x - 36 : place === "last" ? x + 48 : x}
        y={16}
        textAnchor={anchor}
        className="fill-ink text-2xs font-medium"
      >
        {shortTitle(axis.title)}
      </text>
      <line x1={x} x2={x} y1={frame.top} y2={frame.top + frame.height} className="stroke-line-strong" />
      {ticksOf(axis).map((tick) => (
        <text
          key={tick.share}
          x={place === "last" ? x + 6 : x - 6}
          y={shareY(frame, tick.share) + 3.5}
          textAnchor={place === "last" ? "start" : "end"}
          className="figures fill-ink-3 stroke-surface text-2xs"
          strokeWidth={3}
          paintOrder="stroke"
        >
          {tick.text}
        </text>
      ))}
      {brush && (
        <rect
          x={x - 6}
          width={12}
          y={shareY(frame, high)}
          height={Math.max(2, (high - low) * frame.height)}
          className="fill-focus opacity-40"
        />
      )}
      <rect
        x={x - STRIP_PX / 2}
        width={STRIP_PX}
        y={frame.top}
        height={frame.height}
        fill="transparent"
        className="cursor-ns-resize touch-none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          start.current = shareAt(event);
        }}
        onPointerMove={(event) => start.current !== null && onBrush([start.current, shareAt(event)])}
        onPointerUp={(event) => {
          const isClick = start.current !== null && Math.abs(shareAt(event) - start.current) < 0.01;
          start.current = null;
          if (isClick) onBrush(null);
        }}
      />
    </g>
  );
}

const MOST_LETTERS = 22;
const shortTitle = (title: string) =>
  title.length > MOST_LETTERS ? `${title.slice(0, MOST_LETTERS - 1)}…` : title;
