/** The label next to the crosshair. Only the chart under the pointer shows one. */
import type uPlot from "uplot";
import { formatClock, formatCount, formatNumber, formatPlural } from "@/lib/format";
import { crosshair, isCrosshairLocked } from "./crosshair";
import type { XKind } from "./plot";
import { COLUMNS, type Series } from "./series";

const MOST_ROWS = 12;

export function fillHoverLabel(
  label: HTMLElement,
  u: uPlot,
  series: readonly Series[],
  xTitle: string,
  xKind: XKind,
): void {
  const index = u.cursor.idx;
  const isOurs = u.over.matches(":hover") || (isCrosshairLocked.get() && !label.hidden);
  label.hidden = !isOurs || crosshair.get() === "off" || index === null || index === undefined;
  if (label.hidden) return;
  const x = u.data[0][index!]!;
  const rows = series.flatMap((s, i) => hoverRow(u, s, 1 + i * COLUMNS.length, index!));
  label.replaceChildren(text(`${xTitle} ${xText(x, xKind)}`), ...rows.slice(0, MOST_ROWS));
  if (rows.length > MOST_ROWS) label.append(text(`and ${rows.length - MOST_ROWS} more`));
  const left = u.cursor.left ?? 0;
  const before = label.offsetParent?.getBoundingClientRect().left ?? 0;
  const place = labelPlace({
    at: u.over.offsetLeft + left,
    width: label.offsetWidth,
    isRightHalf: left > u.over.clientWidth / 2,
    room: [-before, document.documentElement.clientWidth - before],
  });
  label.style.transform = `translateX(${place}px)`;
}

const GAP = 12;

export interface LabelWanted {
  /** Of the crosshair. */
  at: number;
  width: number;
  isRightHalf: boolean;
  /** The edges of the page. */
  room: readonly [number, number];
}

/** Beside the crosshair, on the side with more chart; a wide label is moved over it rather than out of the page. */
export function labelPlace({ at, width, isRightHalf, room: [from, to] }: LabelWanted): number {
  const wanted = isRightHalf ? at - GAP - width : at + GAP;
  return Math.round(Math.max(from, Math.min(wanted, to - width)));
}

export function xText(x: number, kind: XKind): string {
  if (kind === "time") return formatClock(x * 1000);
  return Math.abs(x - Math.round(x)) < 0.01 ? formatCount(x) : formatNumber(x, 4);
}

/** Lines of several runs rarely share an x: each shows the value of its own nearest point. */
function hoverRow(u: uPlot, series: Series, first: number, index: number): HTMLElement[] {
  const at = nearestKnown(u.data[first + 1], index);
  if (at === null) return [];
  const [raw, line] = [u.data[first]?.[at], u.data[first + 1]?.[at]];
  const [low, high] = [u.data[first + 2]?.[at], u.data[first + 3]?.[at]];
  const both = isKnown(raw) ? `  raw ${formatNumber(raw, 4)}` : "";
  const spread = isKnown(low) && isKnown(high) ? `  ${formatNumber(low)} … ${formatNumber(high)}` : "";
  const seeds = seedsText(series, u.data[0][at]!);
  const row = text(`${series.label}  ${formatNumber(line, 4)}${both}${spread}${seeds}`);
  row.style.borderLeft = `3px solid ${series.colour}`;
  row.style.paddingLeft = "6px";
  return [row];
}

/** How many seeds are behind the point at this x. */
export function seedsText({ xs, counts }: Series, x: number): string {
  if (!counts) return "";
  let [from, to] = [0, xs.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (xs[middle]! < x) from = middle + 1;
    else to = middle;
  }
  const count = counts[from];
  return count === undefined ? "" : `  ${formatPlural(count, "seed")}`;
}

const isKnown = (value: number | null | undefined): value is number => value !== null && value !== undefined;

const REACH = 40;

function nearestKnown(
  column: ArrayLike<number | null | undefined> | undefined,
  index: number,
): number | null {
  for (let away = 0; column !== undefined && away <= REACH; away++) {
    if (isKnown(column[index - away])) return index - away;
    if (isKnown(column[index + away])) return index + away;
    if (column[index] === null) return null;
  }
  return null;
}

function text(content: string): HTMLElement {
  const row = document.createElement("div");
  row.textContent = content;
  return row;
}
