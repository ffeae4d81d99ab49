/** A chart as a picture for print: SVG with title, axis names, legend and threshold. Pure. */

import type { Range, Threshold, XKind } from "@/charts/plot";
import type { Series } from "@/charts/series";
import { smooth } from "@/charts/smoothing";
import { formatClock, formatNumber } from "@/lib/format";

export interface Figure {
  title: string;
  xTitle: string;
  yTitle: string;
  xKind: XKind;
  series: readonly Series[];
  smoothing: number;
  logY: boolean;
  range: Range | null;
  threshold: Threshold | null;
}

export interface FigureColours {
  background: string;
  ink: string;
  faint: string;
}

export const PRINT: FigureColours = { background: "#ffffff", ink: "#15181c", faint: "#d9dce1" };
export const WIDTH = 1600;
export const HEIGHT = 900;
const FONT = "Geist, Inter, Helvetica, Arial, sans-serif";
const [LEFT, RIGHT, TOP, BOTTOM] = [130, 60, 100, 110];
const LEGEND_PX = 34;
const PER_ROW = 3;

export function figureSvg(figure: Figure, colours: FigureColours = PRINT): string {
  const lines = figure.series.map((series) => linesOf(series, figure));
  const rows = lines.length > 1 ? Math.ceil(lines.length / PER_ROW) : 0;
  const box = { left: LEFT, right: WIDTH - RIGHT, top: TOP, bottom: HEIGHT - BOTTOM - rows * LEGEND_PX };
  const scale = scaleOf(figure, lines, box);
  const body = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colours.background}"/>`,
    text(LEFT, 56, figure.title, { size: 34, fill: colours.ink, weight: 600 }),
    ...axes(figure, scale, box, colours),
    `<clipPath id="plot"><rect x="${box.left}" y="${box.top}" width="${box.right - box.left}" height="${box.bottom - box.top}"/></clipPath>`,
    `<g clip-path="url(#plot)" fill="none" stroke-linejoin="round">`,
    ...lines.flatMap((line) => drawn(line, scale)),
    "</g>",
    ...thresholdOf(figure.threshold, scale, box, colours),
    ...legend(rows > 0 ? figure.series : [], HEIGHT - rows * LEGEND_PX + 4, colours),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="${FONT}">${body.join("")}</svg>`;
}

interface Line {
  colour: string;
  isScatter: boolean;
  raw: Point[] | null;
  main: Point[];
  low: Point[] | null;
  high: Point[] | null;
}
type Point = [x: number, y: number | null];
interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function linesOf(series: Series, { smoothing, range }: Figure): Line {
  const points = (ys: ArrayLike<number | null>): Point[] =>
    Array.from(
      series.xs,
      (x, i): Point => [x, ys[i] === undefined || !Number.isFinite(ys[i] ?? Number.NaN) ? null : ys[i]!],
    ).filter(([x]) => range === null || (x >= range[0] && x <= range[1]));
  const isSmooth = smoothing > 0 && !series.isScatter;
  return {
    colour: series.colour,
    isScatter: series.isScatter ?? false,
    raw: isSmooth ? points(series.ys) : null,
    main: points(isSmooth ? smooth(series.ys, smoothing) : series.ys),
    low: series.low ? points(series.low) : null,
    high: series.high ? points(series.high) : null,
  };
}

interface Scale {
  x: (value: number) => number;
  y: (value: number) => number;
  xRange: Range;
  yRange: Range;
}

function scaleOf(figure: Figure, lines: readonly Line[], box: Box): Scale {
  const all = lines.flatMap(({ raw, main, low, high }) => [raw ?? main, low ?? [], high ?? []].flat());
  const xRange = figure.range ?? extent(all.map(([x]) => x));
  const ys = all.flatMap(([, y]) => (y === null || (figure.logY && y <= 0) ? [] : [y]));
  if (figure.threshold && !figure.logY) ys.push(figure.threshold.value);
  const [low, high] = figure.logY && ys.length === 0 ? [1, 10] : extent(ys);
  const room = figure.logY ? 0 : (high - low) * 0.06;
  const yRange: Range = [low - room, high + room];
  const place = figure.logY
    ? (value: number) => Math.log10(Math.max(value, Number.MIN_VALUE))
    : (v: number) => v;
  const [from, to] = [place(yRange[0]), place(yRange[1])];
  return {
    x: (value) => box.left + ((value - xRange[0]) / (xRange[1] - xRange[0] || 1)) * (box.right - box.left),
    y: (value) => box.bottom - ((place(value) - from) / (to - from || 1)) * (box.bottom - box.top),
    xRange,
    yRange,
  };
}

function extent(values: readonly number[]): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

/** About `count` round numbers within a range. */
export function ticksOf([from, to]: Range, count = 8): number[] {
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((size) => size >= rough)!;
  const first = Math.ceil(from / step - 1e-9);
  const ticks: number[] = [];
  for (let n = first; n * step <= to + step * 1e-9; n++) ticks.push(Number((n * step).toPrecision(12)));
  return ticks;
}

function axes(figure: Figure, scale: Scale, box: Box, { ink, faint }: FigureColours): string[] {
  const yTicks = figure.logY ? powersIn(scale.yRange) : ticksOf(scale.yRange, 7);
  const xText = (value: number) =>
    figure.xKind === "time" ? formatClock(value * 1000) : formatNumber(value);
  return [
    ...yTicks.flatMap((value) => [
      `<path d="M${box.left} ${px(scale.y(value))}H${box.right}" stroke="${faint}"/>`,
      text(box.left - 14, scale.y(value) + 8, formatNumber(value), { size: 22, fill: ink, anchor: "end" }),
    ]),
    ...ticksOf(scale.xRange).flatMap((value) => [
      `<path d="M${px(scale.x(value))} ${box.top}V${box.bottom}" stroke="${faint}"/>`,
      text(scale.x(value), box.bottom + 34, xText(value), { size: 22, fill: ink, anchor: "middle" }),
    ]),
    text((box.left + box.right) / 2, box.bottom + 78, figure.xTitle, {
      size: 24,
      fill: ink,
      anchor: "middle",
    }),
    `<g transform="translate(40 ${(box.top + box.bottom) / 2}) rotate(-90)">${text(0, 0, figure.yTitle, { size: 24, fill: ink, anchor: "middle" })}</g>`,
  ];
}

const powersIn = ([from, to]: Range): number[] => {
  if (from <= 0) return [];
  const [low, high] = [Math.ceil(Math.log10(from)), Math.floor(Math.log10(to))];
  return high < low ? [from, to] : Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
};

function drawn({ colour, isScatter, raw, main, low, high }: Line, scale: Scale): string[] {
  if (isScatter)
    return main.map(([x, y]) =>
      y === null ? "" : `<circle cx="${px(scale.x(x))}" cy="${px(scale.y(y))}" r="4" fill="${colour}"/>`,
    );
  return [
    ...(low && high
      ? [`<path d="${bandPath(low, high, scale)}" fill="${colour}" fill-opacity="0.16" stroke="none"/>`]
      : []),
    ...(raw
      ? [`<path d="${pathOf(raw, scale)}" stroke="${colour}" stroke-opacity="0.25" stroke-width="1.5"/>`]
      : []),
    `<path d="${pathOf(main, scale)}" stroke="${colour}" stroke-width="3.5"/>`,
  ];
}

function pathOf(points: readonly Point[], scale: Scale): string {
  let [path, isDown] = ["", false];
  for (const [x, y] of points) {
    if (y !== null) path += `${isDown ? "L" : "M"}${px(scale.x(x))} ${px(scale.y(y))}`;
    isDown = y !== null;
  }
  return path;
}

function bandPath(low: readonly Point[], high: readonly Point[], scale: Scale): string {
  const known = (points: readonly Point[]) => points.filter(([, y]) => y !== null);
  const edge = [...known(high), ...known(low).reverse()];
  return edge.length === 0 ? "" : `${pathOf(edge, scale)}Z`;
}

function thresholdOf(
  threshold: Threshold | null,
  scale: Scale,
  box: Box,
  { ink, background }: FigureColours,
): string[] {
  if (threshold === null) return [];
  const y = scale.y(threshold.value);
  if (y < box.top - 1 || y > box.bottom + 1) return [];
  return [
    `<path d="M${box.left} ${px(y)}H${box.right}" stroke="${ink}" stroke-width="2" stroke-dasharray="12 8"/>`,
    text(box.left + 10, y - 10, threshold.label, { size: 20, fill: ink, halo: background }),
  ];
}

function legend(series: readonly Series[], top: number, { ink }: FigureColours): string[] {
  const width = (WIDTH - LEFT - RIGHT) / PER_ROW;
  return series.flatMap(({ label, colour }, i) => {
    const [x, y] = [LEFT + (i % PER_ROW) * width, top + Math.floor(i / PER_ROW) * LEGEND_PX];
    return [
      `<path d="M${px(x)} ${y - 6}h36" stroke="${colour}" stroke-width="5"/>`,
      text(x + 48, y, label.length > 40 ? `${label.slice(0, 39)}…` : label, { size: 20, fill: ink }),
    ];
  });
}

interface TextLook {
  size: number;
  fill: string;
  anchor?: "middle" | "end";
  weight?: number;
  /** Colour around the letters, so that they can be read on a line. */
  halo?: string;
}

function text(x: number, y: number, content: string, { size, fill, anchor, weight, halo }: TextLook): string {
  const around = halo
    ? ` stroke="${halo}" stroke-width="8" stroke-linejoin="round" paint-order="stroke"`
    : "";
  const look = `${anchor ? ` text-anchor="${anchor}"` : ""}${weight ? ` font-weight="${weight}"` : ""}${around}`;
  return `<text x="${px(x)}" y="${px(y)}" font-size="${size}" fill="${fill}"${look}>${escaped(content)}</text>`;
}

const px = (value: number): number => Math.round(value * 10) / 10;
const escaped = (content: string): string =>
  content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
