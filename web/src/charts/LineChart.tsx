/** Lines over steps, episodes or time. It only draws; the caller provides the data. */
import { type RefObject, useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatNumber } from "@/lib/format";
import { useStore } from "@/lib/store";
import { cx } from "@/ui/cx";
import { spreadOf } from "./band";
import { crosshair, joinCrosshair } from "./crosshair";
import { wheelGestures } from "./gestures";
import { fillHoverLabel } from "./hover";
import { type Mark, plotOptions, type Range, type Threshold, type XKind } from "./plot";
import { type Drawable, redraws } from "./redraw";
import { describe, type Series, tableOf } from "./series";
import { chartTokens } from "./tokens";
import { useOnScreen } from "./use-on-screen";

export interface LineChartProps {
  title: string;
  series: readonly Series[];
  xTitle: string;
  /** The name of the y axis, with its unit; no axis is named when absent. */
  yTitle?: string;
  /** A dashed line with a label. */
  threshold?: Threshold | null;
  /** Vertical lines, where curves that belong together meet. */
  marks?: readonly Mark[];
  xKind?: XKind;
  /** 0 = the raw line, towards 1 = smoother. */
  smoothing?: number;
  logY?: boolean;
  /** Shade the lowest and highest of each point's neighbourhood, where a series has no band of its own. */
  band?: boolean;
  syncKey?: string;
  /** The shown range of x; null shows all data. */
  range?: Range | null;
  /** The user dragged a range (or double-clicked: null). Query it again in its own resolution. */
  onZoom?: (range: Range | null) => void;
  /** The user clicked at this x. */
  onPick?: (x: number) => void;
  height?: number;
  /** "light" or "dark": a change rebuilds the chart with the new tokens. */
  theme: string;
}

export function LineChart(props: LineChartProps) {
  const { title, height = 220 } = props;
  const holder = useRef<HTMLDivElement>(null);
  const label = useRef<HTMLDivElement>(null);
  const series = useMemo(
    () => (props.band ? props.series.map(banded) : props.series),
    [props.series, props.band],
  );
  usePlot({ ...props, series, height }, holder, label);
  const hasCrosshair = useStore(crosshair) !== "off";

  const isEmpty = series.every((s) => s.xs.length === 0);
  return (
    <div
      role="img"
      aria-label={describe(title, series, (v) => formatNumber(v, 4))}
      className={cx("relative", !hasCrosshair && "[&_.u-cursor-pt]:hidden [&_.u-cursor-x]:hidden")}
      style={{ height }}
    >
      <div ref={holder} className={cx("absolute inset-0", props.onPick && "[&_.u-over]:cursor-pointer")} />
      {isEmpty && <p className="absolute inset-0 grid place-items-center text-sm text-ink-3">No data yet</p>}
      <div
        ref={label}
        hidden
        className="figures pointer-events-none absolute top-2 left-0 z-10 rounded-sm border border-line-strong bg-surface w-max max-w-[96vw] px-2 py-1 text-2xs leading-4 whitespace-pre-wrap shadow-pop"
      />
    </div>
  );
}

const banded = (series: Series): Series => (series.low ? series : { ...series, ...spreadOf(series.ys) });

type PlotProps = LineChartProps & { height: number };

/** Makes the plot when its shape changes, and asks for a redraw when its data do. */
function usePlot(
  props: PlotProps,
  holder: RefObject<HTMLDivElement | null>,
  label: RefObject<HTMLDivElement | null>,
): void {
  const { series, xKind = "number", logY = false, syncKey, height, theme, range = null } = props;
  const { xTitle, yTitle = "", threshold = null } = props;
  const isSmooth = (props.smoothing ?? 0) > 0;
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  // The range while the user is still zooming, before it is in the address.
  const preview = useRef<Range | null>(null);
  const isOnScreen = useOnScreen(holder, () => redraws.request(drawable));
  const drawable = useMemo<Drawable>(
    () => ({
      isVisible: () => isOnScreen.current && plot.current !== null,
      draw: () => plot.current?.setData(tableOf(latest.current.series, latest.current.smoothing ?? 0)),
    }),
    [isOnScreen],
  );
  const shape = series
    .map(
      (s) =>
        `${s.id}|${s.label}|${s.colour}|${Boolean(s.low && s.high)}|${s.isScatter ?? false}|${s.isSparse ?? false}|${s.dash ?? ""}`,
    )
    .join("\n");

  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` represents the series; their data is set below
  useEffect(() => {
    const place = holder.current!;
    const zoom = (r: Range | null) => {
      preview.current = r;
      latest.current.onZoom?.(r);
    };
    const options = plotOptions({
      series,
      xKind,
      xTitle: yTitle ? xTitle : "",
      yTitle,
      threshold,
      logY,
      isSmooth,
      syncKey,
      width: place.clientWidth || 600,
      height,
      tokens: chartTokens(),
      marks: () => latest.current.marks ?? [],
      range: () => preview.current ?? latest.current.range ?? null,
      current: () => latest.current.series,
      onZoom: zoom,
      onPick: (x) => latest.current.onPick?.(x),
      onHover: (u) => {
        // The pointer may still move over a chart that is being removed.
        if (label.current)
          fillHoverLabel(label.current, u, latest.current.series, latest.current.xTitle, xKind);
      },
    });
    const made = new uPlot(options, tableOf(latest.current.series, latest.current.smoothing ?? 0), place);
    plot.current = made;
    const leave = joinCrosshair(made);
    const show = (r: Range) => {
      preview.current = r;
      made.setScale("x", { min: r[0], max: r[1] });
    };
    const endGestures = latest.current.onZoom ? wheelGestures(made, show, zoom) : () => {};
    const sizes = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height }));
    sizes.observe(place);
    return () => {
      sizes.disconnect();
      endGestures();
      leave();
      redraws.forget(drawable);
      plot.current = null;
      made.destroy();
    };
  }, [shape, xKind, xTitle, yTitle, threshold?.value, logY, isSmooth, syncKey, height, theme, drawable]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these changes the picture
  useEffect(() => redraws.request(drawable), [series, props.smoothing, drawable]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new range from the address ends the preview
  useEffect(() => {
    preview.current = null;
    redraws.request(drawable);
  }, [range?.[0], range?.[1], drawable]);
}
