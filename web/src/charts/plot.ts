/** The uPlot options of a line chart: axes, columns, crosshair, zoom, and the label under the pointer. */
import type uPlot from "uplot";
import { formatClock, formatCount, formatNumber } from "@/lib/format";
import { COLUMNS, type Series } from "./series";
import type { ChartTokens } from "./tokens";

export type XKind = "number" | "time";
export type Range = readonly [from: number, to: number];

export interface PlotOptions {
  series: readonly Series[];
  xKind: XKind;
  logY: boolean;
  /** Charts with the same key share their crosshair. */
  syncKey?: string;
  width: number;
  height: number;
  tokens: ChartTokens;
  range: () => Range | null;
  onZoom?: (range: Range | null) => void;
  onPick?: (x: number) => void;
  onHover: (u: uPlot) => void;
}

export function plotOptions(o: PlotOptions): uPlot.Options {
  return {
    width: o.width,
    height: o.height,
    legend: { show: false },
    padding: [10, 14, 0, 0],
    scales: {
      x: { time: o.xKind === "time", range: (_u, min, max) => [...(o.range() ?? padded(min, max))] },
      y: { distr: o.logY ? 3 : 1 },
    },
    axes: [
      { ...axis(o.tokens, o.xKind), size: 30 },
      { ...axis(o.tokens, "number"), size: 58 },
    ],
    series: [{}, ...o.series.flatMap(columnOptions)],
    bands: o.series.flatMap((s, i) => (s.low && s.high ? [bandOf(s, i)] : [])),
    cursor: {
      sync: o.syncKey ? { key: o.syncKey, setSeries: false } : undefined,
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: 6, width: 1.5 },
      focus: { prox: 24 },
      // Double click belongs to the zoom below: uPlot's own would fight a range given from outside.
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
      ready: [(u) => u.over.addEventListener("click", () => pick(u, o))],
    },
  };
}

function columnOptions(series: Series): uPlot.Series[] {
  const line = { stroke: series.colour, points: { show: false }, spanGaps: false };
  return COLUMNS.map((column) => {
    if (column === "raw") return { ...line, label: `${series.label} (raw)`, width: 1, alpha: 0.28 };
    if (column === "line") return { ...line, label: series.label, width: 1.75 };
    return { ...line, label: `${series.label} (${column})`, width: 0 };
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

function pick(u: uPlot, o: PlotOptions): void {
  const index = u.cursor.idx;
  if (index === null || index === undefined || !o.onPick) return;
  o.onPick(u.data[0][index]!);
}

/** Fills the label beside the crosshair; only the chart under the pointer shows one. */
export function fillHoverLabel(
  label: HTMLElement,
  u: uPlot,
  series: readonly Series[],
  xTitle: string,
  xKind: XKind,
): void {
  const index = u.cursor.idx;
  const isOurs = u.over.matches(":hover");
  label.hidden = !isOurs || index === null || index === undefined;
  if (label.hidden) return;
  const x = u.data[0][index!]!;
  const rows = series.flatMap((s, i) => hoverRow(u, s, 1 + i * COLUMNS.length, index!));
  label.replaceChildren(
    text(`${xTitle} ${xKind === "time" ? formatClock(x * 1000) : formatCount(x)}`),
    ...rows.slice(0, 12),
  );
  const left = u.cursor.left ?? 0;
  const rightHalf = left > u.over.clientWidth / 2;
  label.style.transform = `translateX(${u.over.offsetLeft + left + (rightHalf ? -12 : 12)}px) translateX(${rightHalf ? "-100%" : "0"})`;
}

function hoverRow(u: uPlot, series: Series, first: number, index: number): HTMLElement[] {
  const [raw, line] = [u.data[first]?.[index], u.data[first + 1]?.[index]];
  if (line === null || line === undefined) return [];
  const both = raw === null || raw === undefined ? "" : `  (raw ${formatNumber(raw, 4)})`;
  const row = text(`${series.label}  ${formatNumber(line, 4)}${both}`);
  row.style.borderLeft = `3px solid ${series.colour}`;
  row.style.paddingLeft = "6px";
  return [row];
}

function text(content: string): HTMLElement {
  const row = document.createElement("div");
  row.textContent = content;
  return row;
}
