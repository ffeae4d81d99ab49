/** A run keeps its colour everywhere: it depends only on the run's id and the theme. */
import { useCallback } from "react";
import { useStore } from "./store";
import { theme } from "./theme";

const HUES = [214, 28, 152, 282, 344, 188, 48, 258, 120, 8, 312, 86];

/** The colours of runs in the current theme; a change of theme redraws. */
export function useRunColour(): (runId: string) => string {
  const dark = useStore(theme) === "dark";
  return useCallback((runId: string) => runColour(runId, dark), [dark]);
}

export function runColour(runId: string, dark: boolean): string {
  const hash = hashOf(runId);
  const hue = HUES[hash % HUES.length]!;
  const strong = Math.floor(hash / HUES.length) % 2 === 0;
  // Yellows and greens look lighter than blues of the same lightness: they are drawn darker on white.
  const bright = hue > 40 && hue < 200;
  const lightness = dark ? (strong ? 66 : 76) : (bright ? 32 : 46) - (strong ? 0 : 8);
  return `hsl(${hue} ${dark ? 72 : 68}% ${lightness}%)`;
}

/** FNV-1a with a final mix: neighbouring ids (same minute) get unrelated colours. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
