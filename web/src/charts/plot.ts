/** The uPlot options of a line chart: axes, columns, crosshair, zoom, and the label under the pointer. */
import type uPlot from "uplot";
import { formatNumber } from "@/lib/format";
import { crosshair } from "./crosshair";
import { COLUMNS, gapsOf, type Series } from "./series";
import type { ChartTokens } from "./tokens";

export type XKind = "number" | "time";
export type Range = readonly [from: number, to: number];

/** A dashed line across the chart, such as the return at which an environment is solved. */
export interface Threshold {
  value: number;
  label: string;
}

/** A vertical line; its label is empty where it speaks for itself. */
export interface Mark {
  at: number;
  label: string;
}

export interface PlotOptions {
  series: readonly Series[];
  xKind: XKind;
  /** Names of the axes, with their units; an empty one takes no room. */
  xTitle: string;
  yTitle: string;
  threshold: Threshold | null;
  logY: boolean;
  isSmooth: boolean;
  /** Charts with the same key share their crosshair. */
  syncKey?: string;
  width: number;
  height: number;
  tokens: ChartTokens;
  marks: () => readonly Mark[];
  range: () => Range | null;
  /** The current lines; they may have grown since the plot was made. */
  current: () => readonly Series[];
  onZoom?: (range: Range | null) => void;
  onPick?: (x: number) => void;
  onHover: (u: uPlot) => void;
}

/** A click whose pointer moved further than this was a drag. */
const CLICK_PX = 4;

const [RIGHT_PX, AXIS_PX, NAME_PX] = [14, 58, 18];
/** How far the lines of a chart whose y axis has a name are from its edges; for what is drawn under it. */
export const PLOT_INSET = { left: AXIS_PX + NAME_PX, right: RIGHT_PX } as const;

export function plotOptions(o: PlotOptions): uPlot.Options {
  return {
    width: o.width,
    height: o.height,
    legend: { show: false },
    padding: [10, RIGHT_PX, 0, 0],
    scales: {
      x: { time: o.xKind === "time", range: (_u, min, max) => [...(o.range() ?? padded(min, max))] },
      y: {
        distr: o.logY ? 3 : 1,
        ...(o.threshold && !o.logY ? { range: including(o.threshold.value) } : {}),
      },
    },
    axes: [
      { ...axis(o.tokens, o.xKind), size: 30, ...axisName(o.xTitle, o.tokens) },
      { ...axis(o.tokens, "number"), size: AXIS_PX, ...axisName(o.yTitle, o.tokens) },
    ],
    series: [{}, ...o.series.flatMap((s) => columnOptions(s, o.isSmooth))],
    bands: o.series.flatMap((s, i) => (s.low && s.high ? [bandOf(s, i)] : [])),
    cursor: {
      sync: o.syncKey
        ? {
            key: o.syncKey,
            setSeries: false,
            filters: { pub: () => crosshair.get() === "shared", sub: () => crosshair.get() === "shared" },
          }
        : undefined,
      y: false,
      drag: { x: true, y: false, setScale: false },
      // Only the line carries a dot; the ghost and the band's edges would crowd it.
      points: { size: (_u, i) => (isLine(i) ? 6 : 0), width: (_u, i) => (isLine(i) ? 1.5 : 0) },
      focus: { prox: 24 },
      // Double click belongs to the zoom below: uPlot's own handler would override a range given from outside.
      bind: {
        dblclick: () => () => {
          o.onZoom?.(null);
          return null;
        },
      },
    },
    focus: { alpha: 1 },
    hooks: {
      setCursor: [o.onHover],
      setSelect: [(u) => zoom(u, o)],
      draw: [(u) => markGaps(u, o), (u) => drawThreshold(u, o), (u) => drawMarks(u, o)],
      ready: [(u) => listenForPicks(u, o)],
    },
  };
}

const isLine = (column: number) => column > 0 && COLUMNS[(column - 1) % COLUMNS.length] === "line";

function columnOptions(series: Series, isSmooth: boolean): uPlot.Series[] {
  const line = {
    stroke: series.colour,
    points: {
      show: Boolean(series.isScatter || series.isSparse),
      size: series.isSparse ? 6 : 4,
      fill: series.colour,
    },
    spanGaps: false,
    ...(series.isScatter ? { paths: () => null } : {}),
  };
  return COLUMNS.map((column) => {
    // Columns without values are skipped on every redraw.
    if (column === "raw")
      return { ...line, label: `${series.label} (raw)`, width: 1, alpha: 0.28, show: isSmooth };
    if (column === "line") return { ...line, label: series.label, width: 1.75, dash: series.dash };
    const show = Boolean(series.low && series.high);
    return { ...line, label: `${series.label} (${column})`, width: 0, show };
  });
}

function bandOf(series: Series, index: number): uPlot.Band {
  const first = 1 + index * COLUMNS.length;
  const fill = series.colour.replace(/^hsl\((.*)\)$/, "hsl($1 / 0.16)");
  return { series: [first + COLUMNS.indexOf("high"), first + COLUMNS.indexOf("low")], fill };
}

function axis(tokens: ChartTokens, kind: XKind): uPlot.Axis {
  return {
    stroke: tokens.ink3,
    font: `11px ${tokens.mono}`,
    grid: { stroke: tokens.line, width: 1 },
    ticks: { show: false },
    gap: 6,
    ...(kind === "number"
      ? { values: (_u, ticks) => ticks.map((v) => (v === null ? "" : formatNumber(v))) }
      : {}),
  } as uPlot.Axis;
}

function axisName(title: string, tokens: ChartTokens): uPlot.Axis {
  if (title === "") return {};
  return { label: title, labelSize: NAME_PX, labelGap: 0, labelFont: `11px ${tokens.sans}` };
}

/** The scale reaches the threshold even while the line is far below it. */
function including(value: number): uPlot.Scale.Range {
  return (_u, min, max) => {
    if (min === null || max === null) return [0, value * 1.1 || 1];
    const [low, high] = [Math.min(min, value), Math.max(max, value)];
    const room = (high - low) * 0.08 || 0.5;
    return [low - room, high + room];
  };
}

function drawMarks(u: uPlot, { marks, tokens }: PlotOptions): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.strokeStyle = tokens.ink3;
  ctx.lineWidth = devicePixelRatio;
  for (const { at, label } of marks()) {
    const x = u.valToPos(at, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    // On the side with more room.
    const isRight = x > bbox.left + bbox.width / 2;
    ctx.textAlign = isRight ? "right" : "left";
    const left = x + (isRight ? -6 : 6) * devicePixelRatio;
    if (label) writeLabel(ctx, tokens, label, [left, bbox.top + bbox.height - 8 * devicePixelRatio]);
  }
  ctx.restore();
}

/** With the colour of the ground around it, so that lines behind it do not cross the letters. */
function writeLabel(
  ctx: CanvasRenderingContext2D,
  tokens: ChartTokens,
  label: string,
  [left, base]: [number, number],
): void {
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px ${tokens.sans}`;
  ctx.fillStyle = tokens.ink3;
  ctx.setLineDash([]);
  ctx.lineWidth = 4 * devicePixelRatio;
  ctx.lineJoin = "round";
  ctx.strokeStyle = tokens.surface;
  ctx.strokeText(label, left, base);
  ctx.fillText(label, left, base);
  ctx.restore();
}

function drawThreshold(u: uPlot, { threshold, tokens }: PlotOptions): void {
  if (threshold === null) return;
  const { ctx, bbox } = u;
  const y = u.valToPos(threshold.value, "y", true);
  if (!Number.isFinite(y) || y < bbox.top || y > bbox.top + bbox.height) return;
  ctx.save();
  ctx.strokeStyle = tokens.ink3;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  // On the left, where curves of learning are still far from it.
  ctx.textAlign = "left";
  // Below a high line: above it are the end of the scale and its grid line.
  const isHigh = y - bbox.top < Math.max(16 * devicePixelRatio, bbox.height / 5);
  const [left, base] = [bbox.left + 6 * devicePixelRatio, y + (isHigh ? 13 : -5) * devicePixelRatio];
  writeLabel(ctx, tokens, threshold.label, [left, base]);
  ctx.restore();
}

/** One point alone would have no width, and an empty chart no scale. */
function padded(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  return min === max ? [min - 0.5, max + 0.5] : [min, max];
}

function zoom(u: uPlot, o: PlotOptions): void {
  const { left, width } = u.select;
  if (width < 4) return;
  const range: Range = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  o.onZoom?.(range);
}

function listenForPicks(u: uPlot, o: PlotOptions): void {
  let pressedAt = 0;
  u.over.addEventListener("mousedown", (event) => {
    pressedAt = event.clientX;
  });
  u.over.addEventListener("click", (event) => {
    const index = u.cursor.idx;
    if (index === null || index === undefined || Math.abs(event.clientX - pressedAt) > CLICK_PX) return;
    o.onPick?.(u.data[0][index]!);
  });
}

/** A NaN is a gap in the line with a mark under it, so that it differs from missing data. */
function markGaps(u: uPlot, o: PlotOptions): void {
  const { ctx, bbox } = u;
  const size = 4 * devicePixelRatio;
  ctx.save();
  ctx.fillStyle = o.tokens.warn;
  for (const series of o.current()) {
    for (const x of gapsOf(series)) {
      const left = u.valToPos(x, "x", true);
      if (left < bbox.left || left > bbox.left + bbox.width) continue;
      ctx.fillRect(left - size / 2, bbox.top + bbox.height - size, size, size);
    }
  }
  ctx.restore();
}
