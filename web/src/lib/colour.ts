/**
 * The colours of runs. A run alone has a colour of its own, which depends only on its id and the theme. Runs shown
 * together keep theirs where it is clearly different from the others; a clashing one gets the most distant colour.
 */
import { useCallback, useMemo } from "react";
import { useStore } from "./store";
import { theme } from "./theme";

const HUES = [214, 28, 152, 282, 344, 188, 48, 258, 120, 8, 312, 86];
/** Closer colours of two lines are hard to tell apart; a distance in OKLab, where black and white are 1 apart. */
const CLEAR = 0.13;

/** The colours of runs in the current theme; a change of theme redraws. */
export function useRunColour(): (runId: string) => string {
  const dark = useStore(theme) === "dark";
  return useCallback((runId: string) => runColour(runId, dark), [dark]);
}

/** The colours of runs that are shown together. */
export function useComparedColours(runIds: readonly string[]): (runId: string) => string {
  const dark = useStore(theme) === "dark";
  const ids = runIds.join(",");
  return useMemo(() => {
    const colours = comparedColours(ids.split(",").filter(Boolean), dark);
    return (runId: string) => colours.get(runId) ?? runColour(runId, dark);
  }, [ids, dark]);
}

export function runColour(runId: string, dark: boolean): string {
  const hash = hashOf(runId);
  return shade(HUES[hash % HUES.length]!, Math.floor(hash / HUES.length) % 2 === 0, dark);
}

/** The same for a set of runs in any order. No two are equal while there are more colours than runs. */
export function comparedColours(runIds: readonly string[], dark: boolean): Map<string, string> {
  const colours = new Map<string, string>();
  const palette = HUES.flatMap((hue) => [shade(hue, true, dark), shade(hue, false, dark)]);
  for (const runId of [...new Set(runIds)].sort()) {
    const taken = [...colours.values()];
    const own = runColour(runId, dark);
    colours.set(runId, nearest(own, taken) >= CLEAR ? own : farthest(palette, taken));
  }
  return colours;
}

const nearest = (colour: string, taken: readonly string[]): number =>
  Math.min(Infinity, ...taken.map((other) => distance(colour, other)));

function farthest(palette: readonly string[], taken: readonly string[]): string {
  return palette.reduce((best, colour) => (nearest(colour, taken) > nearest(best, taken) ? colour : best));
}

function shade(hue: number, strong: boolean, dark: boolean): string {
  // Yellows and greens look lighter than blues of the same lightness: they are drawn darker on white.
  const bright = hue > 40 && hue < 200;
  const lightness = dark ? (strong ? 66 : 82) : (bright ? 34 : 48) - (strong ? 0 : 16);
  return `hsl(${hue} ${dark ? 72 : 68}% ${lightness}%)`;
}

/** How different two colours of this file look: their distance in OKLab. */
export function distance(one: string, other: string): number {
  const [a, b] = [labOf(one), labOf(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

type Triple = [number, number, number];

const labs = new Map<string, Triple>();

function labOf(colour: string): Triple {
  const known = labs.get(colour);
  if (known) return known;
  const found = convert(colour);
  labs.set(colour, found);
  return found;
}

function convert(colour: string): Triple {
  const [hue = 0, saturation = 0, lightness = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  const [r, g, b] = linearRgb(hue, saturation / 100, lightness / 100);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function linearRgb(hue: number, saturation: number, lightness: number): Triple {
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    const value =
      lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(0), channel(8), channel(4)];
}

/** FNV-1a with a final mix: neighbouring ids (same minute) get unrelated colours. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
