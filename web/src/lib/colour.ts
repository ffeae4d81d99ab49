/**
 * The colours of runs. A run alone has a colour of its own, which depends only on its id and the theme. Runs and
 * variants that are compared get theirs by their place in the comparison, so that no two look alike.
 */
import { useCallback, useMemo } from "react";
import { useStore } from "./store";
import { theme } from "./theme";

const HUES = [214, 28, 152, 282, 344, 188, 48, 258, 120, 8, 312, 86];

/** The colours of runs in the current theme; a change of theme redraws. */
export function useRunColour(): (runId: string) => string {
  const dark = useStore(theme) === "dark";
  return useCallback((runId: string) => runColour(runId, dark), [dark]);
}

/** The looks of things that are compared, by their place in the comparison. */
export function useComparedLooks(ids: readonly string[]): (id: string) => Look {
  const dark = useStore(theme) === "dark";
  const joined = ids.join(",");
  return useMemo(() => {
    const looks = comparedLooks(joined.split(",").filter(Boolean), dark);
    return (id: string) => looks.get(id) ?? { colour: runColour(id, dark) };
  }, [joined, dark]);
}

export function runColour(runId: string, dark: boolean): string {
  const hash = hashOf(runId);
  return shade(HUES[hash % HUES.length]!, Math.floor(hash / HUES.length) % 2 === 0, dark);
}

/** How one of several compared lines is drawn. */
export interface Look {
  colour: string;
  /** Lengths of lines and gaps, once every colour is in use. */
  dash?: number[];
}

/** Colours that are as far apart as eight can be, and have contrast with the page: hue, saturation, lightness. */
const LIGHT = [
  "204 55% 52%",
  "30 90% 44%",
  "120 75% 36%",
  "318 90% 52%",
  "234 75% 32%",
  "270 90% 52%",
  "330 90% 28%",
  "120 55% 20%",
];
const DARK = [
  "210 90% 56%",
  "42 55% 50%",
  "120 90% 50%",
  "342 90% 56%",
  "186 90% 50%",
  "300 75% 78%",
  "60 90% 82%",
  "288 90% 60%",
];
const DASHES = [undefined, [7, 4], [2, 3], [10, 3, 2, 3]];

/** The look of the first, second, … of a comparison; no two of the first 32 are alike. */
export function lookAt(place: number, dark: boolean): Look {
  const colours = dark ? DARK : LIGHT;
  const dash = DASHES[Math.floor(place / colours.length) % DASHES.length];
  return { colour: `hsl(${colours[place % colours.length]})`, ...(dash ? { dash } : {}) };
}

export const comparedLooks = (ids: readonly string[], dark: boolean): Map<string, Look> =>
  new Map([...new Set(ids)].map((id, place) => [id, lookAt(place, dark)]));

function shade(hue: number, strong: boolean, dark: boolean): string {
  // Yellows and greens look lighter than blues of the same lightness: they are drawn darker on white.
  const bright = hue > 40 && hue < 200;
  const lightness = dark ? (strong ? 66 : 82) : (bright ? 34 : 48) - (strong ? 0 : 16);
  return `hsl(${hue} ${dark ? 72 : 68}% ${lightness}%)`;
}

/** How different two colours look: their distance in OKLab, where black and white are 1 apart. */
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
