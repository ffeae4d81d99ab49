/** Lines over steps, episodes or time. It draws what it is given; asking the lab for data is the caller's work. */
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatNumber } from "@/lib/format";
import { fillHoverLabel, plotOptions, type Range, type XKind } from "./plot";
import { type Drawable, redraws } from "./redraw";
import { describe, type Series, tableOf } from "./series";
import { chartTokens } from "./tokens";
import { useOnScreen } from "./use-on-screen";

export interface LineChartProps {
  title: string;
  series: readonly Series[];
  xTitle: string;
  xKind?: XKind;
  /** 0 = the raw line, towards 1 = smoother. */
  smoothing?: number;
  logY?: boolean;
  syncKey?: string;
  /** What part of x is shown; null follows the data. */
  range?: Range | null;
  /** The user dragged a range (or double-clicked: null). Query it again in its own resolution. */
  onZoom?: (range: Range | null) => void;
  /** The user clicked at this x. */
  onPick?: (x: number) => void;
  height?: number;
  /** "light" or "dark": a change rebuilds the chart with the new tokens. */
  theme: string;
  ref?: Ref<{ canvas: () => HTMLCanvasElement | null }>;
}

export function LineChart(props: LineChartProps) {
  const {
    title,
    series,
    xKind = "number",
    logY = false,
    syncKey,
    height = 220,
    theme,
    range = null,
    ref,
  } = props;
  const holder = useRef<HTMLDivElement>(null);
  const label = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const isOnScreen = useOnScreen(holder, () => redraws.request(drawable));
  const drawable = useMemo<Drawable>(
    () => ({
      isVisible: () => isOnScreen.current && plot.current !== null,
      draw: () => plot.current?.setData(tableOf(latest.current.series, latest.current.smoothing ?? 0)),
    }),
    [isOnScreen],
  );
  const shape = series.map((s) => `${s.id}|${s.label}|${s.colour}|${Boolean(s.low && s.high)}`).join("\n");

  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for the series; their data is set below
  useEffect(() => {
    const place = holder.current!;
    const options = plotOptions({
      series,
      xKind,
      logY,
      syncKey,
      width: place.clientWidth || 600,
      height,
      tokens: chartTokens(),
      range: () => latest.current.range ?? null,
      onZoom: (r) => latest.current.onZoom?.(r),
      onPick: (x) => latest.current.onPick?.(x),
      onHover: (u) => fillHoverLabel(label.current!, u, latest.current.series, latest.current.xTitle, xKind),
    });
    const made = new uPlot(options, tableOf(latest.current.series, latest.current.smoothing ?? 0), place);
    plot.current = made;
    const sizes = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height }));
    sizes.observe(place);
    return () => {
      sizes.disconnect();
      redraws.forget(drawable);
      plot.current = null;
      made.destroy();
    };
  }, [shape, xKind, logY, syncKey, height, theme, drawable]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these changes the picture
  useEffect(() => redraws.request(drawable), [series, props.smoothing, range?.[0], range?.[1], drawable]);
  useImperativeHandle(ref, () => ({ canvas: () => plot.current?.ctx.canvas ?? null }), []);

  const isEmpty = series.every((s) => s.xs.length === 0);
  return (
    <div
      role="img"
      aria-label={describe(title, series, (v) => formatNumber(v, 4))}
      className="relative"
      style={{ height }}
    >
      <div ref={holder} className="absolute inset-0" />
      {isEmpty && <p className="absolute inset-0 grid place-items-center text-sm text-ink-3">No data yet</p>}
      <div
        ref={label}
        hidden
        className="figures pointer-events-none absolute top-2 left-0 z-10 rounded-sm border border-line-strong bg-surface px-2 py-1 text-2xs leading-4 whitespace-pre shadow-pop"
      />
    </div>
  );
}
